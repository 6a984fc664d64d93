import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Parts of the AWS SDK that a function never uses and would pay for on every cold start. In Lambda credentials
 * come from the environment alone, so the chain that also asks files, SSO and metadata services goes. None of our
 * calls streams events or discovers endpoints, and of a client's package.json only the version is read.
 */
export const lighterSdk: Plugin = {
  name: 'lighter-sdk',
  setup({ onResolve, onLoad }) {
    const environment = join(import.meta.dirname, 'environment-credentials.ts');
    onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, () => ({ path: environment }));
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
