import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', '**/node_modules/**'],
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    setupFiles: ['test/harness/engine.ts'],
    // The harness loads our modules anew for each file (test/harness/engine.ts); libraries are loaded once.
    isolate: false,
    // Two even on two cores: a test waits for its engine as often as it works.
    maxWorkers: '100%',
    silent: 'passed-only',
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
