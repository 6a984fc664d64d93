import { defineConfig, mergeConfig } from 'vitest/config';
import common from '../../vitest.config.ts';

/** Tests that require Keycloak: `npm run test:extra -- keycloak` (test/keycloak.ts). */
export default mergeConfig(
  { ...common, test: { ...common.test, include: [], exclude: ['**/node_modules/**'] } },
  defineConfig({ test: { include: ['test/keycloak/**/*.test.ts'] } }),
);
