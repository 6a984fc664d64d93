import { defineConfig } from 'vitest/config';
import suite from '../../vitest.config.ts';

/** Runs `npm run costs` and `npm run bench:functions`, which measure every endpoint and write the results. */
export default defineConfig({
  test: {
    ...suite.test,
    include: ['test/costs/write-costs.ts', 'test/bench/functions.ts'],
    silent: false,
    // These files write results and assert nothing.
    expect: { requireAssertions: false },
  },
});
