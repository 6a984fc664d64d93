import { accountKey } from '../../shared/accounts/keys.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { signingKey } from '../../shared/integrity/event-seals/seal-key.ts';
import { openDataKeys } from '../../shared/security/data-keys.ts';
import { table, tableName } from '../../shared/table/client.ts';
import { getItem } from '../../shared/table/read.ts';
import { describeTable } from '../administration/describe-table.ts';
import { withProgressBar } from '../administration/progress-bar.ts';
import { type Comparison, compareSurveys, maxCommitDelay } from './compare-surveys.ts';
import { InvalidOption } from './options.ts';
import { type Survey, surveyTable } from './survey-table.ts';
import { type Verified, verifyEvents } from './verify-events.ts';

interface CompareOptions {
  /** The name of the restored table. */
  restored: string;
  /** The instant that was restored. */
  at: Date;
  /**
   * The account whose data keys and seals are checked. By default, each check selects the account with the
   * most events.
   */
  account?: AccountId;
  /** Read units per second for each of the two tables. */
  rate: number;
}

export interface RestoredTable extends Comparison {
  readUnits: number;
  /** The account whose data keys were decrypted; null if no account has data keys. */
  dataKeysOf: AccountId | null;
  /** The account whose events were verified by their seals; null if no account has seals. */
  seals: Pick<Verified, 'accountId' | 'seals' | 'events'> | null;
}

/**
 * Items that expire within this time (milliseconds) are not compared, because DynamoDB may delete them in
 * only one table.
 */
const expiringSoon = 86_400_000;

/**
 * Compares a restored table with the current table. Decrypts data keys and verifies seals in the restored table.
 * Afterwards, TABLE_NAME is the restored table. Throws InvalidOption if the restored table is not active or the account
 * is unknown.
 */
export async function compareRestoredTable({
  restored,
  at,
  account,
  rate,
}: CompareOptions): Promise<RestoredTable> {
  const source = tableName();
  if (restored === source || (await describeTable(table, restored))?.TableStatus !== 'ACTIVE')
    throw new InvalidOption(`--table: ${restored} is not another active table.`);
  if (account && !(await getItem(accountKey(account))))
    throw new InvalidOption(`--account: no account ${account} in ${source}.`);
  const [inTable, copy] = await surveyBoth(source, restored, at, rate);
  const compared = compareSurveys(inTable, copy, at);
  process.env.TABLE_NAME = restored;
  const keysOf = accountWith(copy, 'DATAKEYS', account);
  const keyFaults = await faultsOfKeys(keysOf);
  const sealsOf = accountWith(copy, 'SEAL', account);
  const verified = await verifySeals(sealsOf, at);
  return {
    ...compared,
    readUnits: inTable.units + copy.units,
    dataKeysOf: keysOf ?? null,
    seals: verified && { accountId: verified.accountId, seals: verified.seals, events: verified.events },
    differences: [
      ...compared.differences,
      ...keyFaults,
      ...(verified?.faults ?? []).map(({ sentence }) => `Account ${sealsOf}: ${sentence}`),
    ],
  };
}

/** Surveys both tables in parallel, each at `rate`. If one read fails, the other read is stopped. */
function surveyBoth(source: string, restored: string, at: Date, rate: number): Promise<[Survey, Survey]> {
  const before = new Date(at.getTime() - maxCommitDelay);
  const keptUntil = new Date(Date.now() + expiringSoon);
  const failed = new AbortController();
  return withProgressBar('Items read', (advance) => {
    const survey = (name: string) =>
      surveyTable({ tableName: name, before, keptUntil, rate, advance, signal: failed.signal }).catch(
        (error) => {
          failed.abort(error);
          throw error;
        },
      );
    return Promise.all([survey(source), survey(restored)]);
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
