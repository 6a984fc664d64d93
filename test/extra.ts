import { exitCodeOf } from './harness/exit-code-of.ts';
import { runVitest } from './harness/run-vitest.ts';

type Suite = (args: readonly string[]) => Promise<number>;

const longest = 3_600_000;

/** The suites that need other tools, or more time, than `npm test`. Returns vitest's exit code. */
const suites: Readonly<Record<string, () => Promise<Suite>>> = {
  service: async () => (args) =>
    runVitest({ config: 'vitest.config.ts', args: ['test/service', ...args], longest }),
  heavy: async () => (await import('./heavy.ts')).default,
  residuals: async () => (await import('./heavy.ts')).heavyResiduals,
  'second-engine': async () => (await import('./second-engine.ts')).default,
  'dynamodb-local': async () => (await import('./dynamodb-local.ts')).default,
  deploy: async () => (await import('./deploy.ts')).default,
  templates: async () => (await import('./templates.ts')).default,
  clients: async () => (await import('./clients.ts')).default,
  'bank-oracles': async () => (await import('./bank-oracles.ts')).default,
  'residual-oracles': async () => (await import('./residual-oracles.ts')).default,
  'scim-tester': async () => (await import('./scim-tester.ts')).default,
  'reach-oracle': async () => (await import('./reach-oracle.ts')).default,
  'totp-oracle': async () => (args) =>
    runVitest({ config: 'test/totp-oracle/vitest.config.ts', args, longest }),
  'mail-clients': async () => (await import('./mail-clients.ts')).default,
  keycloak: async () => (await import('./keycloak.ts')).default,
  browser: async () => (args) => runVitest({ config: 'test/browser/vitest.config.ts', args, longest }),
};

/** `npm run test:extra -- <suite> [vitest arguments]`. */
const [name = '', ...args] = process.argv.slice(2);
const suite = Object.hasOwn(suites, name) ? await suites[name]?.() : undefined;
if (suite) process.exitCode = await exitCodeOf(() => suite(args));
else {
  console.error(`Name one of the suites ${Object.keys(suites).join(', ')}.`);
  process.exitCode = 2;
}
