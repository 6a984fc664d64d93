import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { OnLoadResult, Plugin } from 'esbuild';
import { root } from './endpoints.ts';

/**
 * What a function never uses and would pay for on every cold start. Its schemas have become compiled validators. In Lambda credentials
 * come from the environment alone, so the chain that also asks files, SSO and metadata services goes. None of our
 * calls streams events or discovers endpoints, and of a client's package.json only the version is read.
 */
export const lighterBundles: Plugin = {
  name: 'lighter-bundles',
  setup({ onResolve, onLoad }) {
    const environment = join(import.meta.dirname, 'environment-credentials.ts');
    onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, () => ({ path: environment }));
    const schemas = join(import.meta.dirname, 'schemas-left-out.ts');
    onResolve({ filter: /^typebox$/ }, () => ({ path: schemas }));
    const endpointCache = join(import.meta.dirname, 'endpoint-cache-left-out.ts');
    onResolve({ filter: /^@aws-sdk\/endpoint-cache$/ }, () => ({ path: endpointCache }));
    onLoad({ filter: /[\\/]shared[\\/].+\.ts$/ }, ({ path }) => withoutSchemas(path));
    onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ path }) => ({
      path,
      namespace: 'unused',
      sideEffects: false,
    }));
    onLoad({ filter: /./, namespace: 'unused' }, () => ({ contents: 'export {};', loader: 'js' }));
    onLoad({ filter: /@aws-sdk[\\/]client-[\w-]+[\\/]dist-es[\\/]models[\\/]errors\.js$/ }, ({ path }) =>
      withShortErrors(path),
    );
    onLoad(
      { filter: /@aws-sdk[\\/]client-(dynamodb|kms|secrets-manager)[\\/]dist-es[\\/]schemas[\\/]\w+\.js$/ },
      ({ path }) => ({
        contents: withoutErrors(readFileSync(path, 'utf8')),
        loader: 'js',
      }),
    );
    // Node has SHA-256 of its own, which the clients prefer.
    onLoad({ filter: /checksum[\\/]sha256[\\/]Sha256Js\.js$/ }, () => ({
      contents: `export class Sha256Js {
        constructor() { throw new Error('SHA-256 in JavaScript is left out of the bundles.'); }
      }`,
      loader: 'js',
    }));
    // No client of ours retries adaptively, which is what it is for.
    onLoad({ filter: /retry[\\/]util-retry[\\/]DefaultRateLimiter\.js$/ }, () => ({
      contents: `export class DefaultRateLimiter {
        constructor() { throw new Error('Adaptive retries are left out of the bundles.'); }
      }`,
      loader: 'js',
    }));
    // The services that we call tell instants in seconds.
    onLoad({ filter: /serde[\\/]date-utils\.js$/ }, () => ({ contents: secondsAlone, loader: 'js' }));
    onLoad({ filter: /@aws-sdk[\\/]client-[\w-]+[\\/]package\.json$/ }, async ({ path }) => {
      const { default: manifest } = await import(path, { with: { type: 'json' } });
      return { contents: JSON.stringify({ version: manifest.version }), loader: 'json' };
    });
  },
};

/**
 * A module that declares schemas or lists made from them, as bundles have it. Schemas are exported under names that begin with a capital letter; they become
 * empty objects. Other exports, such as a list of states, keep their values. A module that exports anything else, such as a
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

/**
 * The error classes of a client, of one make: apart they say the same with other names and take up to 12 KB of a bundle. What
 * else an error holds the client assigns to it afterwards. A module that is written in another way stays as it is.
 */
function withShortErrors(path: string): OnLoadResult | undefined {
  const source = readFileSync(path, 'utf8');
  const [base = ''] = /^import \{ \w+ as __BaseException \} from "[^"]+";$/m.exec(source) ?? [];
  const found = [
    ...source.matchAll(
      /^export class (\w+) extends __BaseException \{\s+static shapeId = ("[^"]+");\s+name = "\1";\s+\$fault = ("\w+");(?:\s+\$retryable = (\{\});)?/gm,
    ),
  ];
  if (!base || found.length !== source.match(/\bclass \w+/g)?.length) return undefined;
  const errors = found.map(
    ([, name, shape, fault, retryable]) =>
      `export const ${name} = made(${[shape, `"${name}"`, fault, retryable].filter(Boolean).join(', ')});`,
  );
  return { contents: [base, errorMaker, ...errors].join('\n'), loader: 'js' };
}

/** The errors of services that our code tells by their class. All others it tells by their name. */
export const errorsByClass: readonly string[] = [
  'ConditionalCheckFailedException',
  'TransactionCanceledException',
];

/**
 * The schemas of a client without those of its errors, and so without their classes. An error that is not registered is
 * one of the client's base class, with the name, the message and all plain values of the response.
 */
const withoutErrors = (source: string): string =>
  source.replaceAll(/^n\d+_registry\.registerError\(\w+\$, (\w+)\);$/gm, (line, name) =>
    errorsByClass.includes(name) ? line : '',
  );

const errorMaker = `const made = /* @__NO_SIDE_EFFECTS__ */ (shape, kind, fault, retryable) => class extends __BaseException {
  static shapeId = shape;
  name = kind;
  $fault = fault;
  constructor(opts) {
    super({ name: kind, $fault: fault, ...opts });
    Object.setPrototypeOf(this, new.target.prototype);
    if (retryable) this.$retryable = retryable;
  }
};`;

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
