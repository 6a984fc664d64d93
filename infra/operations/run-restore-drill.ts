import { accountKey } from '../../shared/accounts/keys.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { signingKey } from '../../shared/integrity/event-seals/seal-key.ts';
import { openDataKeys } from '../../shared/security/data-keys.ts';
import { tableName } from '../../shared/table/client.ts';
import { getItem } from '../../shared/table/read.ts';
import { withProgressBar } from '../administration/progress-bar.ts';
import { type Comparison, compareSurveys, maxCommitDelay } from './compare-surveys.ts';
import {
  drillTableName,
  leftoverDrillTables,
  recoveryWindow,
  removeDrillTable,
  startRestore,
  waitUntilActive,
} from './drill-table.ts';
import { InvalidOption } from './options.ts';
import { type Survey, surveyTable } from './survey-table.ts';
import { type Verified, verifyEvents } from './verify-events.ts';

interface DrillOptions {
  at?: Date;
  /**
   * The account whose data keys and seals are checked. By default, each check selects the account with the
   * most events.
   */
  account?: AccountId;
  /** Read units per second for each of the two tables. */
  rate: number;
  /** The maximum duration of the restore, in milliseconds. */
  restoreTimeout: number;
  /** Reports progress to the operator. */
  notify: (sentence: string) => void;
  /** If aborted, the drill ends early. The restored table is removed in any case. */
  signal: AbortSignal;
}

export interface RestoreDrill extends Comparison {
  table: string;
  drillTable: string;
  /** The point in time to which the table is restored, in ISO 8601. */
  at: string;
  took: { part: Part; milliseconds: number }[];
  readUnits: number;
  /** The account whose data keys were decrypted; null if no account has data keys. */
  dataKeysOf: AccountId | null;
  /** The account whose events were verified by their seals; null if no account has seals. */
  seals: Pick<Verified, 'accountId' | 'seals' | 'events'> | null;
}

type Part = 'restore' | 'count' | 'data keys' | 'seals' | 'removal';

/**
 * Items that expire within this time (milliseconds) are not compared, because DynamoDB may delete them in
 * only one table.
 */
const expiringSoon = 86_400_000;

/**
 * Restores the table as of an instant to a second table and compares both tables. Decrypts data keys and verifies
 * seals in the second table. Always removes the second table. Throws InvalidOption if the instant cannot be restored
 * or the account is unknown.
 */
export async function runRestoreDrill(options: DrillOptions): Promise<RestoreDrill> {
  const { account, restoreTimeout, signal, notify } = options;
  const source = tableName();
  const at = await restorableInstant(source, options.at);
  if (account && !(await getItem(accountKey(account))))
    throw new InvalidOption(`--account: no account ${account} in ${source}.`);
  await removeLeftovers(source, notify);
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
  const deadline = Date.now() + restoreTimeout;
  try {
    await timed('restore', () =>
      withProgressBar('Restoring, seconds', (advance) =>
        waitUntilActive(drillTable, { deadline, signal, advance }),
      ),
    );
    const [inTable, restored] = await timed('count', () => surveyBoth(source, drillTable, at, options));
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
      notify(
        `Interrupted. ${drillTable} will be removed after its restore. Interrupt again to keep the table.`,
      );
    await timed('removal', () => remove(drillTable, deadline));
  }
}

async function restorableInstant(source: string, at: Date | undefined): Promise<Date> {
  const window = await recoveryWindow(source);
  if (!window)
    throw new Error(
      `The table ${source} has no point-in-time recovery. Enable it to make restores possible.`,
    );
  if (at && (at < window.from || at > window.to))
    throw new InvalidOption(
      `--at must be from ${window.from.toISOString()} to ${window.to.toISOString()}, the recovery window of ${source}.`,
    );
  return at ?? window.to;
}

/** Removes the tables of drills that were killed. */
async function removeLeftovers(source: string, notify: DrillOptions['notify']): Promise<void> {
  for (const { name, keep } of await leftoverDrillTables(source)) {
    notify(keep ? `${name} is kept: ${keep}.` : `${name} remained after an earlier drill. Removing it.`);
    if (!keep) await remove(name, Date.now());
  }
}

const remove = (drillTable: string, deadline: number): Promise<void> =>
  withProgressBar('Removing, seconds', (advance) => removeDrillTable(drillTable, { deadline, advance }));

/** Surveys both tables in parallel, each at `rate`. If one read fails, the other read is stopped. */
function surveyBoth(
  source: string,
  drillTable: string,
  at: Date,
  { rate, signal }: DrillOptions,
): Promise<[Survey, Survey]> {
  const before = new Date(at.getTime() - maxCommitDelay);
  const keptUntil = new Date(Date.now() + expiringSoon);
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  return withProgressBar('Items read', (advance) => {
    const survey = (tableName: string) =>
      surveyTable({ tableName, before, keptUntil, rate, advance, signal: either }).catch((error) => {
        failed.abort(error);
        throw error;
      });
    return Promise.all([survey(source), survey(drillTable)]);
  });
}

/**
 * Returns the account with the most events among the accounts that have items of this kind. If `wanted` is given,
 * considers only this account.
 */
function accountWith({ accounts }: Survey, kind: string, wanted?: AccountId): AccountId | undefined {
  const eventsOf = (account: AccountId) => accounts.get(account)?.kinds.get('EVENT')?.items ?? 0;
  return [...accounts]
    .flatMap(([account, { kinds }]) => (kinds.has(kind) && (wanted ?? account) === account ? [account] : []))
    .sort((one, other) => eventsOf(other) - eventsOf(one))[0];
}

/** Decrypts the blind-index key with the data keys of an account, as a request does. */
async function faultsOfKeys(account: AccountId | undefined): Promise<string[]> {
  if (account === undefined) return [];
  try {
    await openDataKeys({ account, keep: false, deadline: Date.now() + 60_000 });
    return [];
  } catch (error) {
    return [`Account ${account}: its data keys cannot be decrypted: ${(error as Error).message}`];
  }
}

async function verifySeals(account: AccountId | undefined, at: Date): Promise<Verified | null> {
  if (account === undefined) return null;
  return verifyEvents(account, { verifyingKey: await signingKey().verifyingKey(), now: at });
}
