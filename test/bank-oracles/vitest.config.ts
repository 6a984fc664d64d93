import { defineConfig } from 'vitest/config';

/** Tests that require other readers of bank statements: `npm run test:extra -- bank-oracles` (test/bank-oracles.ts). */
export default defineConfig({
  test: {
    include: ['test/bank-oracles/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
