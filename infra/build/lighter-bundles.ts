import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { OnLoadResult, Plugin } from 'esbuild';
import { root } from './endpoints.ts';

/** The modules of the SDK that no call of ours runs, by the part of their paths that names them. */
const neverRun =
  /submodules[\\/](event-streams)[\\/]index\.js$|(endpoint-cache)[\\/]dist-es[\\/]index\.js$|[\\/](Sha256Js|DefaultRateLimiter)\.js$/;

const stubs = `class LeftOut {
  constructor() { throw new Error('This class of the SDK is left out of the bundles.'); }
}
export class EndpointCache {}
export { LeftOut as Sha256Js, LeftOut as DefaultRateLimiter };`;

const secondsAlone = `const textual = () => {
  throw new Error('Instants as text are left out of the bundles.');
};
export {
  textual as dateToUtcString,
  textual as parseRfc3339DateTime,
  textual as parseRfc3339DateTimeWithOffset,
  textual as parseRfc7231DateTime,
};
export const parseEpochTimestamp = (seconds) =>
  seconds === null || seconds === undefined ? undefined : new Date(Math.round(Number(seconds) * 1000));`;

/**
 * Leaves out of a bundle what its function never uses and would load on every cold start. The figures are milliseconds of
 * processor time that an edit saves, of 57 that it takes to load a bundle and to serve its first request: medians of
 * 90 to 250 runs of leads-create-lead. An edit that saves less than 2 ms is not worth its upkeep. The build fails if an edit
 * matches nothing.
 */
export const lighterBundles: Plugin = {
  name: 'lighter-bundles',
  setup({ onResolve, onLoad, onEnd }) {
    const unmatched = new Set([
      'credential-provider-node',
      'typebox',
      'schemas',
      'errors',
      'event-streams',
      'endpoint-cache',
      'Sha256Js',
      'DefaultRateLimiter',
      'package.json',
      'date-utils',
    ]);
    // 13 ms. In Lambda credentials come from the environment alone, and not from files, SSO and metadata services.
    onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, () => {
      unmatched.delete('credential-provider-node');
      return { path: join(import.meta.dirname, 'environment-credentials.ts') };
    });
    // 6 ms. No client of ours streams events, discovers endpoints or retries adaptively, and Node has a SHA-256 of its own.
    onLoad({ filter: neverRun }, ({ path }) => {
      for (const name of neverRun.exec(path)?.slice(1) ?? []) unmatched.delete(name);
      return { contents: stubs, loader: 'js' };
    });
    // 3 ms together. Of a client's package.json only the version is read, and the services that we call send instants in seconds.
    onLoad({ filter: /@aws-sdk[\\/]client-[\w-]+[\\/]package\.json$/ }, ({ path }) => {
      unmatched.delete('package.json');
      const { version } = JSON.parse(readFileSync(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
    onLoad({ filter: /serde[\\/]date-utils\.js$/ }, () => {
      unmatched.delete('date-utils');
      return { contents: secondsAlone, loader: 'js' };
    });
    // 2 ms. The modules that have other exports too keep their schemas, and get no more of TypeBox than these need.
    onResolve({ filter: /^typebox$/ }, () => {
      unmatched.delete('typebox');
      return { path: join(import.meta.dirname, 'typebox-stub.ts') };
    });
    // 3 ms. The build has compiled schemas into validators.
    onLoad({ filter: /[\\/]shared[\\/].+\.ts$/ }, async ({ path }) => {
      const without = await withoutSchemas(path);
      if (without) unmatched.delete('schemas');
      return without;
    });
    // 2 ms. Our code recognizes few errors of DynamoDB, and none of KMS and Secrets Manager, by their class.
    onLoad(
      { filter: /@aws-sdk[\\/]client-(dynamodb|kms|secrets-manager)[\\/]dist-es[\\/]schemas[\\/]\w+\.js$/ },
      ({ path }) => {
        unmatched.delete('errors');
        return withoutErrors(path);
      },
    );
    onEnd(({ errors }) => ({
      errors:
        errors.length > 0
          ? []
          : [...unmatched].map((name) => ({
              text: `The edit of ${name} in infra/build/lighter-bundles.ts matches nothing: correct or remove it.`,
            })),
    }));
  },
};

/**
 * A module that declares schemas or lists made from them, as bundles have it. Schemas are exported under names that begin with a
 * capital letter; they become empty objects. Other exports, such as a list of states, keep their values. A module that exports anything else, such as a
 * function, stays as it is.
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

/** Reports whether a module imports the builders of schemas, itself or through a module that it imports. */
function importsSchemas(path: string): boolean {
  const imports = readFileSync(path, 'utf8').matchAll(/^import (?!type )[^']*'(\.[^']+)';$/gm);
  const files = [...imports].map(([, name = '']) => join(path, '..', name));
  return files.some((file) => file === join(root, 'shared', 'schema.ts') || importsSchemas(file));
}

/** The errors that our code recognizes by their class. It recognizes all others by their name. */
export const errorsByClass: readonly string[] = [
  'ConditionalCheckFailedException',
  'TransactionCanceledException',
];

/**
 * The schemas of a client without those of its errors, and so without their classes. An error that is not registered is
 * one of the client's base class, with the name, the message and all plain values of the response.
 */
function withoutErrors(path: string): OnLoadResult {
  const source = readFileSync(path, 'utf8');
  const contents = source.replaceAll(/^n\d+_registry\.registerError\(\w+\$, (\w+)\);$/gm, (line, name) =>
    errorsByClass.includes(name) ? line : '',
  );
  if (contents === source) throw new Error('The client registers no errors in the way that is known.');
  return { contents, loader: 'js' };
}
