import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Event } from '../../events/event.ts';
import { eventWrites } from '../../events/store.ts';
import { busy } from '../http/errors.ts';
import { table, tableName } from './client.ts';
import { pause } from './pause.ts';
import { tallyChanges } from './totals.ts';
import { type Change, isTally, type Write } from './write.ts';

/** Somebody else's write came first: read again, decide again. */
export class LostRace extends Error {
  override readonly name = 'LostRace';

  /** `attempts`: how often the request was tried by then. */
  constructor(readonly attempts: number) {
    super();
  }
}

/** Reasons DynamoDB gives for a cancelled transaction that had nothing wrong with it. */
const passing = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);

/**
 * Longest wait after a conflict, in milliseconds. Where a hundred want one item somebody always gets through, so what
 * counts is how soon the others ask again: simulated with transactions of 20 ms, the last of them is through after
 * 3.3 s, at seven attempts each. With the second that fits a throttle it is 3.7 s, with a quarter of a second ten attempts.
 */
const longestAfterConflict = 700;

interface Commit {
  writes: readonly Write[];
  /** Required even when empty: a change without its events must be a decision. */
  events: readonly Event[];
  /** Milliseconds since 1970 after which no further attempt starts. */
  deadline: number;
  /** How often the request was tried before it lost a race: its waits go on from there. */
  attempts?: number;
}

/**
 * The one way to write: the change, its guards and its events in one transaction, all or nothing. Conflicts and
 * throttles are tried again with full jitter until the deadline, then refused as `busy`. A condition that does
 * not hold throws what its write says: a refusal, or LostRace. The token makes a repeat after a lost answer
 * count once.
 */
export async function commit({ writes, events, deadline, attempts = 0 }: Commit): Promise<void> {
  const all = [...writes, ...events.flatMap(eventWrites)];
  const changes = all.filter((write): write is Change => !isTally(write));
  const tallies = all.filter(isTally);
  if (all.length === 0) return;
  for (let attempt = attempts + 1; ; attempt++) {
    const parts = [...changes, ...tallyChanges(tallies)];
    const operations = parts.map(({ operation }) => withTable(operation));
    try {
      await table.send(
        new TransactWriteCommand({ TransactItems: operations, ClientRequestToken: randomUUID() }),
      );
      return;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code ?? 'None');
      const failed = parts.find((_, index) => codes[index] === 'ConditionalCheckFailed');
      if (failed) throw failed.otherwise === 'race' ? new LostRace(attempt) : failed.otherwise;
      if (!codes.some((code) => passing.has(code))) throw error;
      if (Date.now() >= deadline) throw busy();
      await pause(attempt, codes.includes('TransactionConflict') ? longestAfterConflict : undefined);
    }
  }
}

function withTable(operation: Change['operation']) {
  const TableName = tableName();
  if ('Put' in operation) return { Put: { ...operation.Put, TableName } };
  if ('Update' in operation) return { Update: { ...operation.Update, TableName } };
  if ('Delete' in operation) return { Delete: { ...operation.Delete, TableName } };
  return { ConditionCheck: { ...operation.ConditionCheck, TableName } };
}
