import { defineConfig } from 'vitest/config';

/** What needs a browser: `npm run test:browser`, with Chromium at /usr/bin/chromium or where CHROMIUM says. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
});
