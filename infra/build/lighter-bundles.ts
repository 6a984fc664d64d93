import { join } from 'node:path';
import type { Plugin } from 'esbuild';

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
    // The list of all kinds of events is the longest of any schema.
    onLoad({ filter: /shared[\\/]events[\\/]kind-schema\.ts$/ }, () => ({
      contents: 'export const EventKindField = {};',
      loader: 'js',
    }));
    onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ path }) => ({
      path,
      namespace: 'unused',
      sideEffects: false,
    }));
    onLoad({ filter: /./, namespace: 'unused' }, () => ({ contents: 'export {};', loader: 'js' }));
    onLoad({ filter: /@aws-sdk[\\/]client-[\w-]+[\\/]package\.json$/ }, async ({ path }) => {
      const { default: manifest } = await import(path, { with: { type: 'json' } });
      return { contents: JSON.stringify({ version: manifest.version }), loader: 'json' };
    });
  },
};
