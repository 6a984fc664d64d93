import { runVitest } from './harness/run-vitest.ts';

/**
 * `npm run test:extra -- reach-oracle`: compares lists of callers with limited permissions with row-level security of
 * PostgreSQL, which must be installed. Exits with vitest's exit code, after at most 30 minutes.
 */
export default (args: readonly string[]): Promise<number> =>
  runVitest({ config: 'test/reach-oracle/vitest.config.ts', args, longest: 30 * 60_000 });
