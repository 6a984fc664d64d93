import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { StageSettings } from '../../infra/stage-settings.ts';
import { stageNames } from '../../infra/stages.ts';
import project from '../../package.json' with { type: 'json' };
import { queueNames } from '../../shared/events/queues.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { allPermissions, eventKinds } from '../../shared/resources/derived.ts';
import { tableDefinition } from '../../shared/table/definition.ts';
import { accountWorkQueues } from '../../shared/work-queue/keys.ts';
import { builtManifest, deploymentOf, fewEndpoints, resources, templatesOf } from '../harness/deployment.ts';
import { escaped } from '../harness/escaped.ts';
import { commands, optionsOf } from '../harness/ops-commands.ts';
import { completedProd as prod } from '../harness/production.ts';
import { files, pages, placeOf, proseOf, spansOf, textOf } from './pages.ts';

/**
 * Names of other programs, and examples. Each entry has the reason why the code does not contain the name. An entry that no
 * document uses is an error.
 */
const foreign: Readonly<Record<string, readonly string[]>> = {
  'the example of functions/README.md, a resource that does not exist': [
    ...['readTags', 'writeTags', 'functions/tags/', 'test/functions/tags.test.ts'],
    ...['shared/resources/tags.ts', 'shared/support/tags/schema.ts', 'shared/support/tags/store.ts'],
  ],
  'an example of a value that a user writes': [
    ...['Joe "The Boss" Diner', 'Spam', '{"Status":{"Solved":"resolved","Spam":null}}'],
    ...['info@Bücher.example', 'info@xn--bcher-kva.example'],
  ],
  'a request, an option or a value of AWS, or of a tool that calls AWS': [
    ...['PendingConfirmation', 'LOCALSTACK_AUTH_TOKEN', 'PublishFailure', 'PublishExpired'],
    ...['{"message":"Unauthorized"}', '{"message":"Forbidden"}', 'aws-sam-cli', '--env-vars', 'cdklocal'],
    '--add-host host.docker.internal:host-gateway',
    ...['Unable to find Route by key', '--api-id', '--route-key'],
  ],
  'a file that a command of the document writes': ['outputs.json'],
  'a variable of the shell': ['PATH'],
  'a word in the file of a bank': ['Reversed'],
  'the beginning of the keys of objects in the bucket': ['exports/'],
};

const manifest = await builtManifest();
/** `prod` with CloudFront, and without CloudFront, with few endpoints: their outputs differ. */
const deployments = [
  deploymentOf(prod, manifest),
  deploymentOf({ ...prod, edge: undefined }, fewEndpoints(manifest)),
];
const templates = deployments.flatMap(templatesOf);

/** The values of a property of all deployed resources of a type. */
const deployed = <K extends string>(type: string, key: K): string[] =>
  templates.flatMap((template) =>
    resources<Partial<Record<K, unknown>>>(template, type).flatMap(([, { [key]: value }]) =>
      typeof value === 'string' ? value : [],
    ),
  );

/** The settings with their paths, such as `throttle.rateLimit`. */
const pathsIn = (schema: object): string[] =>
  'properties' in schema
    ? Object.entries(schema.properties as Record<string, object>).flatMap(([name, value]) => [
        name,
        ...pathsIn(value).flatMap((below) => [below, `${name}.${below}`]),
      ])
    : [];

const stack = deployments.flatMap(({ stacks }) => stacks.map(({ node }) => node.id));

/**
 * The names of each kind of thing. If a document writes the kind before or after a name, as in "the queue `audit`" or "the
 * `audit` consumer", the name must be one of these.
 */
const kinds: Readonly<Record<string, readonly string[]>> = {
  stack,
  stage: stageNames,
  setting: pathsIn(StageSettings),
  queue: queueNames,
  consumer: queueNames,
  'work queue': accountWorkQueues('acc_1' as AccountId, []).map(({ name }) => name),
  schedule: manifest.schedules.map(({ schedule }) => schedule),
  // Each API has its own alarms of the two names at the end.
  alarm: [
    ...deployed('AWS::CloudWatch::Alarm', 'AlarmName').map((name) => name.replace(/^merchant-ops-prod-/, '')),
    ...['server-errors', 'slow'],
  ],
  'log group': deployed('AWS::Logs::LogGroup', 'LogGroupName'),
  dashboard: deployed('AWS::CloudWatch::Dashboard', 'DashboardName'),
  secret: deployed('AWS::SecretsManager::Secret', 'Name'),
  output: templates.flatMap((template) => Object.keys(template.findOutputs('*'))),
  index: tableDefinition.indexes.map(({ name }) => name),
  permission: allPermissions,
};

/** Reports whether a name, in which `{…}`, `<…>` and `…` stand for a part, is one of the existing names. */
const isOneOf = (name: string, existing: Iterable<string>): boolean => {
  const parts = name.split(/\{[\w-]*\}|<[\w-]+>|…/);
  if (parts.length === 1) return [...existing].includes(name);
  const pattern = new RegExp(`^${parts.map(escaped).join('[\\w./{}-]+')}$`);
  return [...existing].some((one) => pattern.test(one));
};

test('a name next to the word for its kind, as in "the queue `audit`", is the name of such a thing', () => {
  const words = Object.keys(kinds).join('|').replaceAll(' ', '\\s+');
  const list = '(?:`[^`]+`(?:,\\s+and\\s+|,\\s+|\\s+and\\s+|\\s+or\\s+)?)+';
  const pattern = new RegExp(`\\b(${words})(?:e?s)?\\s+(${list})|(\`[^\`]+\`)\\s+(${words})\\b`, 'g');
  const uses = pages.flatMap((page) => {
    const prose = proseOf(page);
    return [...prose.matchAll(pattern)].flatMap(({ index, 1: before, 2: listed, 3: single, 4: after }) =>
      [...`${listed ?? single}`.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({
        place: placeOf(page, prose, index),
        kind: (before ?? after ?? '').replace(/\s+/, ' '),
        name,
      })),
    );
  });
  expect(uses.length).toBeGreaterThan(50);
  const wrong = uses.filter(
    ({ kind, name }) => !isOneOf(name, kinds[kind] ?? []) && !Object.values(foreign).flat().includes(name),
  );
  expect(wrong.map(({ place, kind, name }) => `${place}: no ${kind} ${name}`)).toEqual([]);
});

const routes = manifest.endpoints.map(({ contract: { method, path } }) => ({ method, path }));

/** The words of the code without its comments, and the names that are derived from declarations. */
const wordsOfCode = (folders: RegExp): ReadonlySet<string> => {
  const code = files
    .filter((file) => /\.(?:ts|js|cjs|html|json)$|\.ci\/run$/.test(file) && folders.test(file))
    // The generated costs name the requests of the SDK.
    .concat('test/costs.md')
    .map((file) => textOf(file).replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, ''))
    .join('\n');
  const contracts = endpoints.map(({ name, endpoint }) => ({ name, contract: endpoint.contract }));
  const reference = JSON.stringify(openApiDocument(contracts), (key, value) =>
    key === 'description' ? undefined : value,
  );
  return new Set([
    ...[/\w+/g, /[\w-]+/g, /[\w.-]+/g].flatMap((word) => `${code}\n${reference}`.match(word) ?? []),
    ...[...Object.values(kinds), allPermissions, eventKinds].flat(),
    ...commands.flatMap((one) => [...one.words, ...optionsOf(one).map((option) => option.slice(2))]),
  ]);
};
const endpoints = await loadEndpoints();
const product = wordsOfCode(/^(?!test\/)/);
const all = wordsOfCode(/./);
/** The documents for developers may also name what only the tests contain. */
const wordsFor = (page: string): ReadonlySet<string> =>
  /^(?:test|functions)\/|^README\.md$/.test(page) ? all : product;

/** Returns the reason why a code span names nothing that exists. Undefined if it does. */
function missing(span: string, page: string): string | undefined {
  if (Object.values(foreign).flat().includes(span)) return undefined;
  const [, method, path = ''] = /^(?:(GET|POST|PUT|PATCH|DELETE) )?(\/\S*|…\/\S+)$/.exec(span) ?? [];
  if (method !== undefined)
    return isOneOf(
      path.replace(/\?.*/, ''),
      routes.filter((route) => route.method === method).map((route) => route.path),
    )
      ? undefined
      : `no endpoint ${span}`;
  if (path !== '') {
    const isServed = routes.some((route) => `${route.path}/`.startsWith(`${path}/`));
    if (isServed || isOneOf(path, kinds['log group'] ?? [])) return undefined;
  }
  const command = commands.find(({ name }) =>
    `${span.replace(/^npm run ops -- /, '')} `.startsWith(`${name} `),
  );
  if (command) {
    const unknown = (span.match(/--[a-z][\w-]*/g) ?? []).filter(
      (option) => !optionsOf(command).includes(option),
    );
    return unknown.length === 0 ? undefined : `no option ${unknown} of ${command.name}`;
  }
  const [noun] = span.replace(/^npm run ops -- /, '').split(' ');
  const isCommand = /^[a-z-]+ [a-z-]+$/.test(span) && commands.some(({ words }) => words[0] === noun);
  if (isCommand || span.startsWith('npm run ops -- ')) return `no command ${span}`;
  const [, script] = /^npm run (?:--silent )?([\w:-]+)/.exec(span) ?? [];
  if (script !== undefined && !(script in project.scripts)) return `no npm script ${script}`;
  const stacks = /^npx cdk deploy ([\w ]+?) -/.exec(span)?.[1]?.split(' ') ?? [];
  const unknownStacks = stacks.filter((name) => !stack.includes(name));
  if (unknownStacks.length > 0) return `no stack ${unknownStacks}`;
  if (/^(?:git|aws|docker|sam|cdk|npx cdk) /.test(span)) return undefined;
  if (isOneOf(span, kinds.alarm ?? [])) return undefined;
  // The documents use the stage prod in examples.
  const parts = span.replace(/^merchant-ops-prod-/, '').split(' ');
  const missingFile = parts.find((part) => isPath(part) && !isFileOf(part, page) && !isWritten(part, page));
  if (missingFile !== undefined) return `no file ${missingFile}`;
  const words = parts
    .filter((part) => !isPath(part))
    .join(' ')
    .replaceAll(/<[\w-]+>|\{[\w-]+\}/g, ' ')
    .match(/(?<![\w.])[A-Za-z_][\w-]*/g);
  const unknown = words?.filter((word) => !isInCode(word, page) && !isFileOf(word, page)) ?? [];
  return unknown.length === 0 ? undefined : `the code does not contain ${unknown.join(', ')}`;
}

const isPath = (text: string): boolean =>
  /^(?=.*[a-z])[\w<>.-]+(?:\/[\w<>.-]*)+$|^[\w<>-][\w<>.-]*\.(?:ts|md|json|jsonl|txt|cjs|csv)$/.test(text);

/** Reports whether the code contains a word, the SDK's command of this name, or words that end with it. */
const isInCode = (word: string, page: string): boolean =>
  wordsFor(page).has(word) ||
  wordsFor(page).has(`${word}Command`) ||
  (word.startsWith('_') && [...wordsFor(page)].some((one) => one.endsWith(word)));

/** Reports whether the code contains the name of a file that it writes at runtime. */
const isWritten = (path: string, page: string): boolean =>
  /^(?:\.local|DATA_DIR|\.build|cdk\.out)\/|^FILE|^[^/]+$/.test(path) &&
  wordsFor(page).has(path.replace(/^FILE|^.*\//, ''));

const folders = [...new Set(files.flatMap((file) => parentsOf(file)))];
function parentsOf(file: string): string[] {
  const parent = dirname(file);
  return parent === '.' ? [] : [`${parent}/`, ...parentsOf(parent)];
}
/** Reports whether a path leads from the document, from the root, or from any folder to a file or folder. */
function isFileOf(path: string, page: string): boolean {
  const name = path.replace(/\/$/, '');
  const known = [...files, ...folders.map((folder) => folder.slice(0, -1))];
  if (isOneOf(join(dirname(page), name), known) || isOneOf(name, known)) return true;
  const ends = new RegExp(
    `(?:^|/)${name
      .split(/<[\w-]+>/)
      .map(escaped)
      .join('[\\w-]+')}$`,
  );
  return known.some((file) => ends.test(file));
}

test('every code span of a document names something that exists', () => {
  const spans = pages
    .filter((page) => basename(page) !== 'costs.md')
    .flatMap((page) => spansOf(page).map((one) => ({ ...one, page })));
  expect(spans.length).toBeGreaterThan(1_000);
  const wrong = spans.flatMap(({ place, span, page }) => {
    const reason = missing(span, page);
    return reason === undefined ? [] : [`${place}: \`${span}\`: ${reason}`];
  });
  expect(wrong).toEqual([]);
  const used = new Set(spans.map(({ span }) => span));
  expect(
    Object.values(foreign)
      .flat()
      .filter((name) => !used.has(name)),
  ).toEqual([]);
});
