import { defineConfig } from 'vitest/config';

/** `npm run test:extra -- deploy` (test/deploy.ts) runs these tests, which require an AWS emulator. */
export default defineConfig({
  test: {
    include: ['test/deploy/**/*.test.ts'],
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    fileParallelism: false,
    // Each test requires the previous tests.
    bail: 1,
    // On a busy machine, some tests take several minutes.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 90_000, interval: 250 } },
  },
});
