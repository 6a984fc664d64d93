import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * Each test file loads our modules again, so most code runs too briefly for V8's optimizing compiler. These options save
 * a twentieth of the time of `npm test`. Later versions of Node do not have the second option.
 */
const lateOptimization = process.versions.node.startsWith('20.')
  ? ['--always-sparkplug', '--interrupt-budget=400000']
  : [];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      'test/browser/**',
      'test/deploy/**',
      'test/templates/**',
      'test/clients/**',
      'test/bank-oracles/**',
      'test/residual-oracles/**',
      'test/reach-oracle/**',
      'test/scim-tester/**',
      'test/totp-oracle/**',
      'test/keycloak/**',
      'test/mail-clients/**',
      '**/node_modules/**',
    ],
    env: {
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      // One thread is enough for the engine of a worker, because a worker runs one test file at a time.
      TOKIO_WORKER_THREADS: '1',
    },
    setupFiles: ['test/harness/engine.ts'],
    // Vitest does not isolate the test files: test/harness/engine.ts loads new instances of our modules for
    // each file, and libraries are loaded once.
    isolate: false,
    // More workers than cores, because a test file often waits for its engine, other processes or a retry.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // A random order finds tests that depend on another file. `--sequence.seed` repeats the order of the printed seed.
    sequence: { shuffle: { files: true } },
    // More space for short-lived objects reduces the CPU time of the tests by a tenth. Threads for garbage collection
    // would take time from the other workers.
    execArgv: ['--max-semi-space-size=64', '--single-threaded-gc', ...lateOptimization],
    silent: 'passed-only',
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A test without an assertion cannot fail.
    expect: { poll: { timeout: 60_000 }, requireAssertions: true },
  },
});
