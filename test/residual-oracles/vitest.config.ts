import { defineConfig } from 'vitest/config';

/** Tests that require openpyxl, carta-ach and LibreOffice: `npm run test:extra -- residual-oracles` (test/residual-oracles.ts). */
export default defineConfig({
  test: {
    include: ['test/residual-oracles/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
