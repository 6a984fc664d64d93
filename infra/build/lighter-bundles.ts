import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { OnLoadResult, Plugin } from 'esbuild';
import { root } from './endpoints.ts';

/**
 * Packages that esbuild's option `alias` replaces with files of this folder. The comments here and in `edits` state the CPU
 * time that is saved per cold start, because a cold start loads the complete bundle. They are medians of at least 23
 * alternating runs with Node 20, in which loading leads-create-lead takes 43 ms. An edit that saves 3 ms or less is removed,
 * unless its comment says otherwise.
 */
const replaced: Readonly<Record<string, string>> = {
  // Saves 15 ms. In Lambda, credentials come from the environment, never from files, SSO or metadata services.
  '@aws-sdk/credential-provider-node': 'environment-credentials.ts',
  // Saves 4 ms. Our clients use no event streams.
  '@smithy/core/event-streams': 'unused-sdk.ts',
  // Saves 1 ms. Kept, like `typebox`, because both together save about 2 % of loading and the first request, which take
  // 93 ms. Our clients use no endpoint discovery.
  '@aws-sdk/endpoint-cache': 'unused-sdk.ts',
  // Saves 1 ms. The stub is for the schemas that `withoutSchemas` cannot remove.
  typebox: 'typebox-stub.ts',
};

type Edited = OnLoadResult | undefined;

interface Edit {
  modules: RegExp;
  edit: (path: string) => Edited | Promise<Edited>;
  /** The package of the modules, if only few bundles contain it. Default: every build contains the modules. */
  of?: string;
}

/** The edits of modules that are not the entry of a package. An edit returns undefined to keep a module. */
const edits: Readonly<Record<string, Edit>> = {
  // Saves 15 ms. Schemas are not needed, because the build has compiled them into validators.
  schemas: { modules: /[\\/]shared[\\/].+\.ts$/, edit: withoutSchemas },
  // Saves 4 ms: the data of all telephone numbers, which has 120 KB, is not in the bundles that search records.
  dialing: { modules: /[\\/]shared[\\/]search[\\/]dialing-codes\.ts$/, edit: valuesOfModule },
  // Saves 17 ms in the bundles that verify passkeys: they do not contain 390 KB of code for certificates. We request no
  // attestation, and browsers then send none, or one that the passkey itself has signed, without a certificate
  // (WebAuthn, 5.1.3).
  attestation: {
    of: '@simplewebauthn/server',
    modules:
      /@simplewebauthn[\\/]server[\\/]esm[\\/].*(convertX509PublicKeyToCOSE|defaultRootCerts[\\/][\w-]+|getCertificateInfo|isCertRevoked|metadataService|validate(Certificate|Ext)\w+|verifyAttestation(Android\w+|Apple|FIDOU2F|TPM)|verifyMDSBlob)\.js$/,
    edit: unsupportedFunctions,
  },
};

/** Makes bundles smaller. The build fails if a replacement or an edit above matches nothing. */
export const lighterBundles: Plugin = {
  name: 'lighter-bundles',
  setup({ initialOptions, onLoad, onEnd }) {
    initialOptions.metafile = true;
    initialOptions.alias = Object.fromEntries(
      Object.entries(replaced).map(([name, file]) => [name, join(import.meta.dirname, file)]),
    );
    const edited = new Set<string>();
    for (const [name, { modules, edit }] of Object.entries(edits))
      onLoad({ filter: modules }, async ({ path }) => {
        const result = await edit(path);
        if (result) edited.add(name);
        return result;
      });
    onEnd(({ errors, metafile }) => {
      if (errors.length > 0) return {};
      const inputs = Object.values(metafile?.inputs ?? {});
      const imported = new Set(inputs.flatMap(({ imports }) => imports.map(({ original }) => original)));
      const unmatched = [
        ...Object.keys(replaced).filter((name) => !imported.has(name)),
        ...Object.entries(edits).flatMap(([name, { of }]) =>
          edited.has(name) || (of !== undefined && !imported.has(of)) ? [] : [name],
        ),
      ];
      return {
        errors: unmatched.map((name) => ({
          text: `The edit of ${name} in infra/build/lighter-bundles.ts matches nothing. Correct or remove the edit.`,
        })),
      };
    });
  },
};

/** Replaces the exported functions and values of a module with functions that throw. */
function unsupportedFunctions(path: string): OnLoadResult {
  const names = [
    ...readFileSync(path, 'utf8').matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm),
  ];
  const lines = names.map(
    ([, name]) =>
      `export function ${name}() { throw new Error('Certificates of authenticators are not part of the bundles.'); }`,
  );
  return { contents: lines.join('\n'), loader: 'js' };
}

/**
 * Replaces the schemas that a module exports (objects with capitalized names) with empty objects. Keeps the module's
 * plain values, such as a list of states. Returns undefined for a module with other exports, such as functions.
 */
async function withoutSchemas(path: string): Promise<OnLoadResult | undefined> {
  if (/^export (async |function|class)/m.test(readFileSync(path, 'utf8')) || !importsSchemas(path))
    return undefined;
  const exported: [string, unknown][] = Object.entries(await import(path));
  const isPlain = (value: unknown) =>
    value !== undefined && isDeepStrictEqual(value, JSON.parse(JSON.stringify(value) ?? 'null'));
  const isSchema = (name: string, value: unknown) => /^[A-Z]/.test(name) && typeof value === 'object';
  if (!exported.every(([name, value]) => isSchema(name, value) || isPlain(value))) return undefined;
  const lines = exported.map(([name, value]) => {
    const kept = isSchema(name, value) ? { type: 'object', properties: {} } : value;
    return `export const ${name} = ${JSON.stringify(kept)};`;
  });
  return { contents: lines.join('\n'), loader: 'js' };
}

/** Replaces a module by the plain values that it exports. */
async function valuesOfModule(path: string): Promise<OnLoadResult> {
  const exported = Object.entries<unknown>(await import(path));
  const lines = exported.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`);
  return { contents: lines.join('\n'), loader: 'js' };
}

/** Reports whether a module imports shared/schema.ts, directly or indirectly. */
function importsSchemas(path: string): boolean {
  const imports = readFileSync(path, 'utf8').matchAll(/^import (?!type )[^']*'(\.[^']+)';$/gm);
  const files = [...imports].map(([, name = '']) => join(path, '..', name));
  return files.some((file) => file === join(root, 'shared', 'schema.ts') || importsSchemas(file));
}
