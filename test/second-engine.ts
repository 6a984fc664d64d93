import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator } from './deploy/emulator.ts';
import { requireEmulator } from './harness/python-tools.ts';
import { runVitest } from './harness/run-vitest.ts';

/**
 * The tests of the table's behaviour: keys, conditions, transactions, conflicts, indexes, queries, streams and expiry. The
 * other tests use the same access to the table. Tests that count capacity units are not among them, because MiniStack does
 * not compute the units from the sizes (findings/ministack-consumed-capacity.sh).
 */
const files = [
  'test/table',
  'test/http/commit-parts.test.ts',
  'test/http/idempotency.test.ts',
  'test/http/once.test.ts',
  'test/events/outbox.test.ts',
  'test/events/relay.test.ts',
  'test/events/consumer.test.ts',
  'test/search/index-items.test.ts',
  'test/search/index-updates.test.ts',
  'test/subscriber-index',
  'test/duplicate-detection',
  'test/applications/races.test.ts',
  'test/billing/races.test.ts',
  'test/tickets/races.test.ts',
  'test/local/create-table.test.ts',
  'test/local/delete-expired.test.ts',
  'test/local/dynamodb.test.ts',
  'test/local/event-sources.test.ts',
  'test/local/stream-poller.test.ts',
];

/**
 * `npm run test:extra -- second-engine`: runs these tests on the DynamoDB of MiniStack, so that the table does not rely on
 * a peculiarity of Dynoxide. Installs the emulator into a temporary folder, or uses the one in MINISTACK. Exits with
 * vitest's exit code, after at most 40 minutes.
 */
export default async function (args: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-engine-'));
  try {
    const emulator = await startEmulator({ program: await requireEmulator(folder) });
    try {
      return await runVitest({
        config: 'vitest.config.ts',
        args: [...files, ...args],
        // All test files use this endpoint, but each file has its own table and access key.
        environment: { AWS_ENDPOINT_URL_DYNAMODB: emulator.endpoint },
        longest: 40 * 60_000,
      });
    } finally {
      await emulator.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
