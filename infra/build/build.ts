import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildOptions, stop as endBundler, build as esbuild, type Plugin } from 'esbuild';
import { capturesBodies, showsLeads, takesDryRun } from '../../shared/endpoints/contract.ts';
import type { ApiDescription, Endpoint } from '../../shared/endpoints/endpoint.ts';
import type { Validators } from '../../shared/endpoints/validation.ts';
import { rightsOf } from '../rights/endpoint-rights.ts';
import { describeApi } from './api-description.ts';
import { sentBackOf } from './derived.ts';
import { type EndpointFile, listsOf, loadEndpoints, root } from './endpoints.ts';
import { lighterBundles } from './lighter-bundles.ts';
import { authorizerName, type BundledFunction, type Manifest, manifestOf } from './manifest.ts';
import { loadConsumers, loadSchedules, type ScheduleFile } from './schedules.ts';
import { functionsFolder, moveMap, sourceMapFolder } from './source-maps.ts';
import { shapesFor, validatedParts, validatorSource } from './validators.ts';

/**
 * Bundler options. `mainFields` selects the ESM sources of packages, because the bundler removes unused code
 * only from ESM. Dynamic imports are disabled, because the bundler removes no code from a package that is
 * imported in this way.
 */
const options = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  mainFields: ['module', 'main'],
  supported: { 'dynamic-import': false },
  metafile: true,
  absWorkingDir: root,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/**
 * Each function is one minified CommonJS file, for a short cold start. V8's code cache is not used. It would
 * reduce the loading time by a third, from 38 to 26 ms of CPU time with Node 24. But V8 accepts only a cache
 * of its own version, and the version in Lambda changes without notice. The cache would also triple the size
 * of a function.
 */
const forLambda = {
  minify: true,
  format: 'cjs',
  legalComments: 'none',
  outExtension: { '.js': '.cjs' },
} as const satisfies BuildOptions;

/**
 * The functions share files, so that a process loads and compiles their common code only once. This build takes a third
 * of the time of a build for Lambda. The banner defines `require` for the SDK's modules in CommonJS format.
 */
const forOneProcess = {
  splitting: true,
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  banner: {
    js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`,
  },
} as const satisfies BuildOptions;

export { endBundler };

interface Functions {
  endpoints?: EndpointFile[];
  schedules?: ScheduleFile[];
  /** Stores source maps next to the folder, to translate stack traces of deployed functions. */
  maps?: true;
  /** Builds functions that run in one process, as in the local service. They cannot be deployed. */
  oneProcess?: true;
  /** Called for each function before it is bundled. `total` is the number of functions. */
  onFunction?: (total: number) => void;
}

/**
 * Bundles each function into its own folder below `folder`, a path relative to the root. By default, the
 * functions can be deployed. Deletes `folder` first, so simultaneous builds need different folders. Tests
 * pass their own endpoints and schedules.
 */
export async function build(folder = functionsFolder, functions: Functions = {}): Promise<Manifest> {
  const endpoints = functions.endpoints ?? (await loadEndpoints());
  const schedules = functions.schedules ?? (await loadSchedules());
  const consumers = await loadConsumers();
  const api = describeApi(endpoints);
  for (const made of [folder, sourceMapFolder(folder)])
    rmSync(join(root, made), { recursive: true, force: true });

  const sources = new Map<string, string>([
    ...endpoints.map((one) => [one.name, endpointEntry(one, endpoints)] as const),
    ['events-relay', `export { handler } from './events/relay.ts';`],
    [authorizerName, `export { authorizeOrigin as handler } from './shared/http/authorize-origin.ts';`],
    ...[...consumers].map(([queue, file]) => [`events-${queue}`, consumerEntry(file)] as const),
    ...schedules.map(({ name, file }) => [`schedules-${name}`, scheduleEntry(file)] as const),
  ]);
  const programs = new Map([...sources, ...(functions.oneProcess ? [workerProgram] : [])]);
  const { metafile } = await esbuild({
    ...options,
    ...(functions.oneProcess ? forOneProcess : forLambda),
    ...(functions.maps && { sourcemap: 'external', sourcesContent: false }),
    outdir: folder,
    entryPoints: [...programs.keys()].map((name) => ({ in: `entry:${name}`, out: `${name}/index` })),
    plugins: [
      virtualModules(programs, endpoints, api, () => functions.onFunction?.(sources.size)),
      lighterBundles,
    ],
  });

  const bundled = (name: string): BundledFunction => {
    const bytes = metafile.outputs[`${folder}/${name}/index.cjs`]?.bytes ?? 0;
    return { name, folder: `${folder}/${name}`, bytes };
  };
  const entryModule = functions.oneProcess ? entryOfModule : entryOfCommonJs;
  for (const name of sources.keys()) write(`${folder}/${name}/entry.mjs`, entryModule);
  if (functions.oneProcess) write(`${folder}/function-worker/entry.mjs`, entryOfWorker);
  if (functions.maps) for (const name of sources.keys()) moveMap(folder, name);
  write(`${folder}/metafile.json`, JSON.stringify(metafile));
  return manifestOf(endpoints, schedules, bundled);
}

/** Lambda waits for the top-level await of an ES module. So `prewarm` ends before the first request. */
const entryOfCommonJs = `import { createRequire } from 'node:module';

const { handler, prewarm } = createRequire(import.meta.url)('./index.cjs');
await prewarm?.();

export { handler };
`;

/** The program of the local service's worker threads. It shares the DynamoDB client with the functions. */
const workerProgram = [
  'function-worker',
  `export { serveFunctions } from './infra/local/function-worker.ts';`,
] as const;

/** This module is not bundled, because dynamic imports are disabled in bundles. */
const entryOfWorker = `import { serveFunctions } from './index.mjs';

serveFunctions((name) => import(\`../\${name}/entry.mjs\`));
`;

/** The local service loads a function when its first request arrives, so `prewarm` would only delay the response. */
const entryOfModule = `export { handler } from './index.mjs';
`;

function endpointEntry({ name, file, endpoint: { contract } }: EndpointFile, all: EndpointFile[]): string {
  const extraOptions = [
    ...(contract.runsLists ? ['lists'] : []),
    ...(contract.sensitive ? ['openDataKeys'] : []),
    ...(contract.proof ? ['freshProofs'] : []),
    ...(contract.commitsParts ? ['partsOf'] : []),
    ...(takesDryRun(contract) ? ['previewEffects'] : []),
    ...(capturesBodies(contract) ? ['captureBodies'] : []),
    ...(showsLeads(contract) ? ['hideDuplicates'] : []),
  ];
  const usesTable = rightsOf(contract).includes('table:read');
  // The type annotation checks these names. The source below is text, which the compiler does not check.
  const validators: (keyof Validators)[] = validatedParts(contract);
  return [
    `import endpoint from './${file}';`,
    `import { lambdaHandler } from './shared/http/handler.ts';`,
    ...validatedParts(contract).map(
      (part) => `import { default as ${part} } from 'validator:${name}/${part}';`,
    ),
    ...(contract.apiArtifact ? [`import part from 'api:${contract.apiArtifact}';`] : []),
    `const api = { ${contract.apiArtifact ? `${contract.apiArtifact}: part` : ''} };`,
    // Only bundles of endpoints with sensitive values contain the KMS client and the code that decrypts values.
    ...(contract.sensitive ? [`import { openDataKeys } from './shared/security/data-keys.ts';`] : []),
    ...(contract.proof ? [`import { freshProofs } from './shared/http/require-fresh-proof.ts';`] : []),
    ...(contract.commitsParts ? [`import { partsOf } from './shared/http/commit-parts.ts';`] : []),
    ...(takesDryRun(contract) ? [`import { previewEffects } from './shared/http/preview-effects.ts';`] : []),
    ...(capturesBodies(contract) ? [`import { captureBodies } from './shared/http/capture-bodies.ts';`] : []),
    ...(showsLeads(contract)
      ? [`import { hideDuplicates } from './shared/sales/leads/hide-duplicates.ts';`]
      : []),
    ...(contract.runsLists ? listsSource(all) : []),
    ...(usesTable ? [`import { prewarmFor } from './shared/http/prewarm.ts';`] : []),
    ...shapesSource(contract),
    `const sentBack = ${JSON.stringify(sentBackOf(contract))};`,
    `const validators = { ${[...validators, 'sentBack', ...Object.keys(shapesFor(contract))].join(', ')} };`,
    `const options = { ${['clock: () => new Date()', 'api', ...extraOptions].join(', ')} };`,
    ...ranksSource('endpoint', contract),
    'export const handler = lambdaHandler(endpoint, validators, options);',
    ...(usesTable ? ['export const prewarm = prewarmFor(endpoint, validators, options);'] : []),
  ].join('\n');
}

/** Adds the order of enums to a list, because bundles contain no schemas. */
const ranksSource = (variable: string, { ranks = {} }: Endpoint['contract']): string[] =>
  Object.keys(ranks).length > 0
    ? [`Object.assign(${variable}.contract.ranks, ${JSON.stringify(ranks)});`]
    : [];

/** The lists for endpoints that run them, by resource. */
function listsSource(all: readonly EndpointFile[]): string[] {
  const lists = Object.entries(listsOf(all));
  return [
    ...lists.flatMap(([resource, { name, file, endpoint }]) => [
      `import ${resource}List from './${file}';`,
      `import ${resource}Query from 'validator:${name}/query';`,
      ...ranksSource(`${resource}List`, endpoint.contract),
    ]),
    'const lists = {',
    ...lists.map(([resource, { endpoint }]) => {
      const response = JSON.stringify(shapesFor(endpoint.contract).response);
      return `${resource}: { endpoint: ${resource}List, query: ${resource}Query, response: ${response} },`;
    }),
    '};',
  ];
}

/** The shapes as compact source, in which the constants `value` and `response` replace repeated parts. */
function shapesSource(contract: Endpoint['contract']): string[] {
  const { response, dryRun, sent } = shapesFor(contract);
  const sourceOf = (shape: unknown) => JSON.stringify(shape).replaceAll(':"value"', ':value');
  const shared = sourceOf(response);
  return [
    `const value = 'value';`,
    `const response = ${shared};`,
    ...(sent ? [`const sent = ${sourceOf(sent)};`] : []),
    ...(dryRun ? [`const dryRun = ${sourceOf(dryRun).replace(shared, 'response')};`] : []),
  ];
}

const consumerEntry = (file: string): string =>
  [
    `import consumer from './${file}';`,
    `import { consumerHandler } from './events/consumer.ts';`,
    'export const handler = consumerHandler(consumer);',
  ].join('\n');

const scheduleEntry = (file: string): string =>
  [
    `import schedule from './${file}';`,
    `import { scheduleHandler } from './events/schedule.ts';`,
    'export const handler = scheduleHandler(schedule);',
  ].join('\n');

/** The modules that exist only in the build: entries, compiled validators and API documents. */
function virtualModules(
  sources: Map<string, string>,
  endpoints: EndpointFile[],
  api: ApiDescription,
  onFunction: () => void,
): Plugin {
  const begun = new Set<string>();
  const contracts = new Map(endpoints.map(({ name, endpoint }) => [name, endpoint.contract]));
  return {
    name: 'virtual-modules',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^(entry|validator|api):/ }, ({ path }) => {
        const [namespace = '', rest = ''] = path.split(':');
        return { namespace, path: rest };
      });
      onLoad({ filter: /./, namespace: 'entry' }, ({ path }) => ({
        contents: sources.get(path) ?? '',
        loader: 'ts',
        resolveDir: root,
      }));
      onLoad({ filter: /./, namespace: 'validator' }, ({ path }) => {
        const [name = '', part = ''] = path.split('/');
        // Reports the progress here, because the validators take most of the time of a build.
        if (!begun.has(name)) onFunction();
        begun.add(name);
        const contract = contracts.get(name);
        if (!contract) throw new Error(`No endpoint is named ${name}`);
        const contents = validatorSource(contract, part as Parameters<typeof validatorSource>[1]);
        return { contents, loader: 'js', resolveDir: root };
      });
      onLoad({ filter: /./, namespace: 'api' }, ({ path }) => ({
        contents: JSON.stringify(api[path as keyof ApiDescription]),
        loader: 'json',
      }));
    },
  };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
