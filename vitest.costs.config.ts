import { defineConfig } from 'vitest/config';
import suite from './vitest.config.ts';

/** `npm run costs`: measures what a call of every endpoint costs, prints it and writes it to test/costs.md. */
export default defineConfig({
  test: { ...suite.test, include: ['test/costs/write-costs.ts'], silent: false },
});
