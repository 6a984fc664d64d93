import { defineConfig } from 'vitest/config';

/** The tests of `npm run test:extra -- browser`. Chromium must be at /usr/bin/chromium or at the path in CHROMIUM. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
});
