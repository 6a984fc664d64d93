import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { OnLoadResult, Plugin } from 'esbuild';
import { root } from './endpoints.ts';

/** The modules of the SDK that our calls never use. */
const unused =
  /submodules[\\/](event-streams)[\\/]index\.js$|(endpoint-cache)[\\/]dist-es[\\/]index\.js$|[\\/](Sha256Js|DefaultRateLimiter)\.js$/;

const stubs = `class Unsupported {
  constructor() { throw new Error('This class of the SDK is not part of the bundles.'); }
}
export class EndpointCache {}
export { Unsupported as Sha256Js, Unsupported as DefaultRateLimiter };`;

const epochSecondsOnly = `const unsupported = () => {
  throw new Error('The parsers of dates in text format are not part of the bundles.');
};
export {
  unsupported as dateToUtcString,
  unsupported as parseRfc3339DateTime,
  unsupported as parseRfc3339DateTimeWithOffset,
  unsupported as parseRfc7231DateTime,
};
export const parseEpochTimestamp = (seconds) =>
  seconds === null || seconds === undefined ? undefined : new Date(Math.round(Number(seconds) * 1000));`;

/**
 * Edits modules to remove unused code, because a cold start loads the complete bundle. Each comment below
 * states the CPU time that an edit saves per cold start. With all edits, loading a bundle and processing its
 * first request takes 57 ms (median of 90 to 250 runs of leads-create-lead). The build fails if an edit
 * matches no module.
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
    // Saves 13 ms. In Lambda, credentials come from the environment, never from files, SSO or metadata services.
    onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, () => {
      unmatched.delete('credential-provider-node');
      return { path: join(import.meta.dirname, 'environment-credentials.ts') };
    });
    // Saves 6 ms. Our clients use no event streams, endpoint discovery or adaptive retries. They use Node's SHA-256.
    onLoad({ filter: unused }, ({ path }) => {
      for (const name of unused.exec(path)?.slice(1) ?? []) unmatched.delete(name);
      return { contents: stubs, loader: 'js' };
    });
    // The next two edits save 3 ms. Clients read only `version` of their package.json. The services that we
    // call send times only as seconds since 1970.
    onLoad({ filter: /@aws-sdk[\\/]client-[\w-]+[\\/]package\.json$/ }, ({ path }) => {
      unmatched.delete('package.json');
      const { version } = JSON.parse(readFileSync(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
    onLoad({ filter: /serde[\\/]date-utils\.js$/ }, () => {
      unmatched.delete('date-utils');
      return { contents: epochSecondsOnly, loader: 'js' };
    });
    // Saves 2 ms. A stub replaces TypeBox for the schemas that `withoutSchemas` cannot remove.
    onResolve({ filter: /^typebox$/ }, () => {
      unmatched.delete('typebox');
      return { path: join(import.meta.dirname, 'typebox-stub.ts') };
    });
    // Saves 3 ms. Schemas are not needed, because the build has compiled them into validators.
    onLoad({ filter: /[\\/]shared[\\/].+\.ts$/ }, async ({ path }) => {
      const without = await withoutSchemas(path);
      if (without) unmatched.delete('schemas');
      return without;
    });
    // Saves 2 ms. Our code uses only the error classes in `errorsByClass`. All of them are classes of DynamoDB.
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
              text: `The edit of ${name} in infra/build/lighter-bundles.ts matches nothing. Correct or remove the edit.`,
            })),
    }));
  },
};

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

/** Reports whether a module imports shared/schema.ts, directly or indirectly. */
function importsSchemas(path: string): boolean {
  const imports = readFileSync(path, 'utf8').matchAll(/^import (?!type )[^']*'(\.[^']+)';$/gm);
  const files = [...imports].map(([, name = '']) => join(path, '..', name));
  return files.some((file) => file === join(root, 'shared', 'schema.ts') || importsSchemas(file));
}

/** The errors that our code recognizes by class. Our code recognizes all other errors by name. */
export const errorsByClass: readonly string[] = [
  'ConditionalCheckFailedException',
  'TransactionCanceledException',
];

/**
 * Removes the error schemas and error classes of a client. The client then throws errors of its base class, with the
 * name, the message and all plain values of the response.
 */
function withoutErrors(path: string): OnLoadResult {
  const source = readFileSync(path, 'utf8');
  const contents = source.replaceAll(/^n\d+_registry\.registerError\(\w+\$, (\w+)\);$/gm, (line, name) =>
    errorsByClass.includes(name) ? line : '',
  );
  if (contents === source) throw new Error(`${path} registers no errors in the expected way.`);
  return { contents, loader: 'js' };
}
