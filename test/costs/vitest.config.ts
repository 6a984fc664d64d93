import { defineConfig } from 'vitest/config';
import suite from '../../vitest.config.ts';

/** Runs `npm run costs` and the parts of `npm run bench` that need the test harness. */
export default defineConfig({
  test: {
    ...suite.test,
    include: ['test/costs/write-costs.ts', 'test/bench/call-times.ts', 'test/bench/capacity.ts'],
    silent: false,
    // These files write results and assert nothing.
    expect: { requireAssertions: false },
  },
});
