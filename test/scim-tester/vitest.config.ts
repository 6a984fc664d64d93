import { defineConfig } from 'vitest/config';

/** Tests that require scim2-tester: `npm run test:extra -- scim-tester` (test/scim-tester.ts). */
export default defineConfig({
  test: {
    include: ['test/scim-tester/**/*.test.ts'],
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
