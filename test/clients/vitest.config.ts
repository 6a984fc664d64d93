import { defineConfig } from 'vitest/config';

/** Tests that require generators of API clients: `npm run test:extra -- clients` (test/clients.ts). */
export default defineConfig({
  test: {
    include: ['test/clients/**/*.test.ts'],
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
