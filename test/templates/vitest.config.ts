import { defineConfig } from 'vitest/config';

/** Tests that require cfn-lint, SAM and an AWS emulator: `npm run test:extra -- templates` (test/templates.ts). */
export default defineConfig({
  test: {
    include: ['test/templates/**/*.test.ts'],
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
