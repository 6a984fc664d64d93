import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/harness/slowest-first.ts';

/** If an order is configured, Vitest ignores `--sequence.shuffle` on the command line. */
const isShuffled = process.argv.some((argument) => argument.startsWith('--sequence.shuffle'));

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', 'test/deploy/**', 'test/templates/**', '**/node_modules/**'],
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    setupFiles: ['test/harness/engine.ts'],
    // The harness loads our modules anew for each file (test/harness/engine.ts); libraries are loaded once.
    isolate: false,
    // More than cores: a file waits for its engine, for its processes or in a backoff as often as it works.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: isShuffled ? {} : { sequencer: SlowestFirst },
    // Much is made and soon forgotten: where that has room, a tenth of the processor time is saved.
    execArgv: ['--max-semi-space-size=64'],
    silent: 'passed-only',
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A test without an assertion cannot fail.
    expect: { poll: { timeout: 10_000 }, requireAssertions: true },
  },
});
