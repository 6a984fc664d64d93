import { defineConfig } from 'vitest/config';
import suite from '../../vitest.config.ts';

/** `npm run costs` and `npm run bench:functions`: what measures every endpoint and writes that down. */
export default defineConfig({
  test: {
    ...suite.test,
    include: ['test/costs/write-costs.ts', 'test/bench/functions.ts'],
    silent: false,
    // They write files and assert nothing.
    expect: { requireAssertions: false },
  },
});
