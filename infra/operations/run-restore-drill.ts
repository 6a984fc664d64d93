import { accountKey } from '../../shared/accounts/keys.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { sealKey } from '../../shared/integrity/event-seals/seal-key.ts';
import { openDataKeys } from '../../shared/security/data-keys.ts';
import { tableName } from '../../shared/table/client.ts';
import { getItem } from '../../shared/table/read.ts';
import { type Comparison, compareSurveys, maxCommitDelay } from './compare-surveys.ts';
import {
  drillTableName,
  leftoverDrillTables,
  recoveryWindow,
  removeDrillTable,
  startRestore,
  waitUntilActive,
} from './drill-table.ts';
import { progressBar } from './progress-bar.ts';
import { type Survey, surveyTable } from './survey-table.ts';
import { type Verified, verifyEvents } from './verify-events.ts';

interface Rehearsal {
  /** Left out: the latest instant that there is. */
  at?: Date;
  /** Whose data keys and seals are looked at; left out: the account with the most events that has any. */
  account?: AccountId;
  /** Read units in a second, of each of the two tables. */
  rate: number;
  /** Milliseconds that the restore may take. */
  longest: number;
  /** Hears in a sentence of what somebody should know before the end. */
  tell: (sentence: string) => void;
  /** What was restored is removed after it, too. */
  signal: AbortSignal;
}

/** What a drill has shown. */
export interface RestoreDrill extends Comparison {
  table: string;
  drillTable: string;
  /** ISO 8601: as of when it was restored. */
  at: string;
  /** What took how many milliseconds, in its order. */
  took: { part: Part; milliseconds: number }[];
  /** What both counts were charged for. */
  readUnits: number;
  /** Whose data keys were opened; null where the account, or none, has any. */
  dataKeysOf: AccountId | null;
  /** Whose events were verified by their seals; null where the account, or none, has any. */
  seals: Pick<Verified, 'accountId' | 'seals' | 'events'> | null;
}

type Part = 'restore' | 'count' | 'data keys' | 'seals' | 'removal';

/** There is no such instant to restore, or no such account to look at; the message is one sentence. */
export class CannotRehearse extends Error {
  override readonly name = 'CannotRehearse';
}

/** DynamoDB removes what has expired within days; whatever expires within this many milliseconds is not counted. */
const expiringSoon = 86_400_000;

/**
 * Restores the table as of an instant to a table of its own, compares the two, opens data keys and verifies seals in the
 * restored one, and removes it, whatever happens on the way. Throws a sentence where there is nothing to restore from.
 */
export async function runRestoreDrill(rehearsal: Rehearsal): Promise<RestoreDrill> {
  const { account, longest, signal, tell } = rehearsal;
  const source = tableName();
  const at = await restorableInstant(source, rehearsal.at);
  if (account && !(await getItem(accountKey(account))))
    throw new CannotRehearse(`--account must be one that ${source} has: it has no ${account}.`);
  await removeLeftBehind(source, tell);
  signal.throwIfAborted();
  const drillTable = drillTableName(source, new Date());
  const took: RestoreDrill['took'] = [];
  const timed = async <T>(part: Part, run: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    const result = await run();
    took.push({ part, milliseconds: Math.round(performance.now() - began) });
    return result;
  };
  await startRestore(source, drillTable, at);
  const deadline = Date.now() + longest;
  try {
    await timed('restore', () =>
      counting('Restoring, seconds', (advance) => waitUntilActive(drillTable, { deadline, signal, advance })),
    );
    const [inTable, restored] = await timed('count', () => surveyBoth(source, drillTable, at, rehearsal));
    const compared = compareSurveys(inTable, restored, at);
    process.env.TABLE_NAME = drillTable;
    const keysOf = accountWith(restored, 'DATAKEYS', account);
    const keyFaults = await timed('data keys', () => faultsOfKeys(keysOf));
    const sealsOf = accountWith(restored, 'SEAL', account);
    const verified = await timed('seals', () => verifySeals(sealsOf, at));
    return {
      ...compared,
      table: source,
      drillTable,
      at: at.toISOString(),
      took,
      readUnits: inTable.units + restored.units,
      dataKeysOf: keysOf ?? null,
      seals: verified && { accountId: verified.accountId, seals: verified.seals, events: verified.events },
      differences: [
        ...compared.differences,
        ...keyFaults,
        ...(verified?.faults ?? []).map(({ sentence }) => `Account ${sealsOf}: ${sentence}`),
      ],
    };
  } finally {
    process.env.TABLE_NAME = source;
    if (signal.aborted)
      tell(
        `Interrupted: ${drillTable} is removed first, once it is restored. Interrupted again, it stays until the next drill.`,
      );
    await timed('removal', () => remove(drillTable, deadline));
  }
}

/** To a second, as DynamoDB has it. Throws where the table cannot be restored as of then. */
async function restorableInstant(source: string, wanted: Date | undefined): Promise<Date> {
  const span = await recoveryWindow(source);
  if (!span)
    throw new Error(
      `The table ${source} has no point-in-time recovery: switch it on, and what is written from then on can be restored.`,
    );
  if (wanted && (wanted < span.from || wanted > span.to))
    throw new CannotRehearse(
      `--at must be from ${span.from.toISOString()} to ${span.to.toISOString()}: ${source} can be restored as of then.`,
    );
  return wanted ?? span.to;
}

/** What drills that were killed have left. */
async function removeLeftBehind(source: string, tell: (sentence: string) => void): Promise<void> {
  for (const { name, stays } of await leftoverDrillTables(source)) {
    tell(stays ? `${name} ${stays}: it stays.` : `${name} was left by an earlier drill, and is removed.`);
    if (!stays) await remove(name, Date.now());
  }
}

const remove = (drillTable: string, deadline: number): Promise<void> =>
  counting('Removing, seconds', (advance) => removeDrillTable(drillTable, { deadline, advance }));

/** Both tables side by side, each at the rate; once one read fails, nothing else is read. */
function surveyBoth(
  source: string,
  drillTable: string,
  at: Date,
  { rate, signal }: Rehearsal,
): Promise<[Survey, Survey]> {
  const before = new Date(at.getTime() - maxCommitDelay);
  const keptUntil = new Date(Date.now() + expiringSoon);
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  return counting('Items read', (advance) => {
    const survey = (tableName: string) =>
      surveyTable({ tableName, before, keptUntil, rate, advance, signal: either }).catch((error) => {
        failed.abort(error);
        throw error;
      });
    return Promise.all([survey(source), survey(drillTable)]);
  });
}

async function counting<T>(what: string, run: (advance: (by: number) => void) => Promise<T>): Promise<T> {
  const bar = progressBar(what);
  try {
    return await run(bar.advance);
  } finally {
    bar.end();
  }
}

/** The account with the most events of those that have something of a kind, or the only one that is wanted. */
function accountWith({ accounts }: Survey, kind: string, wanted?: AccountId): AccountId | undefined {
  const eventsOf = (account: AccountId) => accounts.get(account)?.kinds.get('EVENT')?.items ?? 0;
  return [...accounts]
    .flatMap(([account, { kinds }]) => (kinds.has(kind) && (wanted ?? account) === account ? [account] : []))
    .sort((one, other) => eventsOf(other) - eventsOf(one))[0];
}

/** Opens what the data keys of an account guard, as a request does that reveals something: the key of its blind indexes. */
async function faultsOfKeys(account: AccountId | undefined): Promise<string[]> {
  if (account === undefined) return [];
  try {
    await openDataKeys({ account, keep: false, deadline: Date.now() + 60_000 });
    return [];
  } catch (error) {
    return [`Account ${account}: its data keys do not open: ${(error as Error).message}`];
  }
}

async function verifySeals(account: AccountId | undefined, at: Date): Promise<Verified | null> {
  if (account === undefined) return null;
  return verifyEvents(account, { verifyingKey: await sealKey().verifyingKey(), now: at });
}
