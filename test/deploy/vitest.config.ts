import { defineConfig } from 'vitest/config';

/** Tests that require an AWS emulator: `npm run test:deploy` (test/deploy.ts). */
export default defineConfig({
  test: {
    include: ['test/deploy/**/*.test.ts'],
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    fileParallelism: false,
    // Each test requires those before it.
    bail: 1,
    testTimeout: 300_000,
    hookTimeout: 480_000,
    expect: { poll: { timeout: 90_000, interval: 250 } },
  },
});
