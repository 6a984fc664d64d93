import { listedAccounts } from '../accounts/directory.ts';
import type { Run } from '../backlogs/backlog.ts';
import type { JobContent } from '../backlogs/jobs.ts';
import { openAgain } from '../backlogs/open-entry.ts';
import { emitMetric } from '../events/emit-metric.ts';
import type { AccountId } from '../id/account-id.ts';
import { mintedAt } from '../id/mint.ts';
import { beginning, eventsWithin, readSealHeads, type SealHead } from './store.ts';
import { behind, sealedEvery, sealedUpTo, turnAt, turnOf } from './turns.ts';

/** The metric that says by how much the oldest event that is not sealed should have been sealed before. */
export const sealLag = 'SealLag';

const [minute, day] = [60_000, 86_400_000];
/** So many accounts are looked at side by side. */
const pageSize = 100;

/** An account and up to where its events are sealed at its turn. */
interface Turn {
  account: AccountId;
  to: string;
}

/**
 * Opens the job that seals for each account whose turn it is, or was a minute before, and which has something to seal: two
 * reads for an account that has nothing. Accounts come from the directory, a tenth of them each minute, and once more in the
 * next one, since a run may come late or fail. One that fails is told in the log and passed over.
 */
export async function sweepSeals(run: Run): Promise<void> {
  const accounts = await listedAccounts();
  const turns = [run.now, new Date(run.now.getTime() - minute)].flatMap((at) =>
    accounts
      .filter((account) => turnOf(account) === turnAt(at))
      .map((account) => ({ account, to: sealedUpTo(at) })),
  );
  const lags: number[] = [];
  for (let start = 0; start < turns.length && Date.now() < run.deadline; start += pageSize) {
    const page = turns.slice(start, start + pageSize);
    const heads = await readSealHeads(page.map(({ account }) => account));
    const opened = await Promise.all(page.map((turn, n) => openOrPassOver(turn, heads[n], run)));
    lags.push(...opened.filter((lag) => lag !== undefined));
  }
  if (lags.length > 0) emitMetric(sealLag, Math.max(...lags), 'Seconds', { now: run.now });
}

/** For how many seconds the oldest event of the account should have been sealed; undefined where there is none to seal. */
async function openOrPassOver(
  { account, to }: Turn,
  head: SealHead | undefined,
  run: Run,
): Promise<number | undefined> {
  try {
    const [oldest] = await eventsWithin(account, { from: head?.to ?? beginning, to }, 1);
    if (!oldest) return undefined;
    const content: JobContent = { job: 'seal_events' };
    const entry = { id: 'seal', due: run.now, content, expires: new Date(run.now.getTime() + day) };
    await openAgain({ account, name: 'JOBS' }, entry, run);
    const late = run.now.getTime() - mintedAt(Number(oldest.sk)).getTime() - (behind + sealedEvery) * minute;
    return Math.max(0, late / 1000);
  } catch (error) {
    console.error(`The sweep passed over the events of ${account}:`, error);
    return undefined;
  }
}
