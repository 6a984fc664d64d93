import { createHash } from 'node:crypto';
import { listedAccounts } from '../accounts/directory.ts';
import type { Run } from '../backlogs/backlog.ts';
import { openEntry } from '../backlogs/open-entry.ts';
import { emitMetric } from '../events/emit-metric.ts';
import type { AccountId } from '../id/account-id.ts';
import { mintedAt } from '../id/mint.ts';
import type { SealContent } from './seal-events.ts';
import { beginning, eventsWithin, readSealHeads, type SealHead } from './store.ts';

/** The metric that says by how much the oldest event that is not sealed should have been sealed before. */
export const sealLag = 'SealLag';

const [minute, day] = [60_000, 86_400_000];
/** Each account has its turn every so many minutes. */
const sealedEvery = 10;
/**
 * So many minutes are left alone. An id is minted when its event is decided, and a request has 10 s from then on to commit it,
 * a schedule 50 s, a worker of a backlog 60 s: whatever has an id that old is in the log, or never will be.
 */
const behind = 5;
/** So many accounts are looked at side by side. */
const pageSize = 100;

/**
 * Opens the job that seals for each account whose turn it is and which has something to seal: two reads for an account that
 * has nothing. Accounts come from the directory, a tenth of them each minute. One that fails is told in the log and passed
 * over, until its next turn.
 */
export async function sweepSeals(run: Run): Promise<void> {
  const turn = Math.floor(run.now.getTime() / minute);
  const accounts = (await listedAccounts()).filter((account) => turnOf(account) === turn % sealedEvery);
  const to = new Date((turn - behind) * minute).toISOString();
  const lags: number[] = [];
  for (let start = 0; start < accounts.length && Date.now() < run.deadline; start += pageSize) {
    const page = accounts.slice(start, start + pageSize);
    const heads = await readSealHeads(page);
    const opened = await Promise.all(page.map((account, n) => openOrPassOver(account, heads[n], to, run)));
    lags.push(...opened.filter((lag) => lag !== undefined));
  }
  if (lags.length > 0) emitMetric(sealLag, Math.max(...lags), 'Seconds', { now: run.now });
}

/** The last digit of the minutes at which an account has its turn: any digest spreads them. */
export const turnOf = (account: AccountId): number =>
  createHash('sha256').update(account).digest().readUInt32BE() % sealedEvery;

/** For how many seconds the oldest event of the account should have been sealed; undefined where there is none to seal. */
async function openOrPassOver(
  account: AccountId,
  head: SealHead | undefined,
  to: string,
  run: Run,
): Promise<number | undefined> {
  try {
    const [oldest] = await eventsWithin(account, { from: head?.to ?? beginning, to }, 1);
    if (!oldest) return undefined;
    const content: SealContent = { job: 'seal_events', to };
    const due = new Date(to);
    const entry = { id: `seal-${to}`, due, content, expires: new Date(due.getTime() + day) };
    await openEntry({ account, name: 'JOBS' }, entry, run);
    const late = run.now.getTime() - mintedAt(Number(oldest.sk)).getTime() - (behind + sealedEvery) * minute;
    return Math.max(0, late / 1000);
  } catch (error) {
    console.error(`The sweep passed over the events of ${account}:`, error);
    return undefined;
  }
}
