import { defineConfig, mergeConfig } from 'vitest/config';
import common from '../../vitest.config.ts';

/** Tests that require PostgreSQL: `npm run test:extra -- reach-oracle` (test/reach-oracle.ts). */
export default mergeConfig(
  { ...common, test: { ...common.test, include: [], exclude: ['**/node_modules/**'] } },
  defineConfig({ test: { include: ['test/reach-oracle/**/*.test.ts'], testTimeout: 1_500_000 } }),
);
