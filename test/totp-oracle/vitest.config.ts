import { defineConfig, mergeConfig } from 'vitest/config';
import common from '../../vitest.config.ts';

/** Tests that require oathtool: `npm run test:extra -- totp-oracle`. */
export default mergeConfig(
  { ...common, test: { ...common.test, include: [], exclude: ['**/node_modules/**'] } },
  defineConfig({ test: { include: ['test/totp-oracle/**/*.test.ts'] } }),
);
