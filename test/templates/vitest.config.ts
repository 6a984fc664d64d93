import { defineConfig } from 'vitest/config';

/** What needs cfn-lint and SAM, and an emulator of AWS behind it: `npm run test:templates` (test/templates.ts). */
export default defineConfig({
  test: {
    include: ['test/templates/**/*.test.ts'],
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
