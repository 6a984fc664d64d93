import { emitMetric } from '../../events/emit-metric.ts';
import type { AccountId } from '../../id/account-id.ts';
import { mintedAt } from '../../id/mint.ts';
import type { Item } from '../../table/item.ts';
import { VersionConflict } from '../../table/transact.ts';
import type { Job } from '../../work-queue/jobs.ts';
import type { AttemptRun } from '../../work-queue/work-handler.ts';
import { rootOf } from './merkle.ts';
import { leafIn, type SealStatement, statementText } from './seal.ts';
import { signingKey } from './seal-key.ts';
import { appendSeal, beginning, eventsWithin, keepLeaves, readSealHead } from './store.ts';
import { sealedEvery, sealedUpTo, sealLag, sealTime } from './turns.ts';

/**
 * The maximum number of events in a seal. The limit exists because the leaves of a seal are stored in one item. A seal
 * contains more events only if they were created in the same millisecond as its last event.
 */
const mostEvents = 1000;
/** The wait before a retry, in milliseconds. */
const retryTime = 60_000;
const day = 86_400_000;

/**
 * Seals an account's events that are older than five minutes. Each attempt writes one seal. If newer events exist, the
 * job runs again when they are due for sealing. If sealing fails, for example because KMS is unavailable, the job logs
 * the error and runs again after a minute.
 */
export const sealEvents: Job = async ({ content }, { account }, run) => {
  const upTo = sealedUpTo(run.now);
  try {
    if (await sealNext(account, upTo, run)) return { content, again: run.now };
    const newest = new Date(run.now.getTime() + day).toISOString();
    const [left] = await eventsWithin(account, { from: upTo, to: newest }, 1);
    return left ? { content, again: sealTime(account, mintedAt(Number(left.sk))) } : { status: 'delivered' };
  } catch (error) {
    console.error(`The events of ${account} could not be sealed up to ${upTo}:`, error);
    return { again: new Date(run.now.getTime() + retryTime), ownFault: true };
  }
};

/**
 * Writes the next seal of an account, which ends at `upTo` (ISO 8601 with milliseconds) or earlier. Returns true if
 * more events may need a seal, or if another worker wrote a seal first. Throws VersionConflict if the write failed
 * although no other worker wrote a seal.
 */
export async function sealNext(
  account: AccountId,
  upTo: string,
  { deadline, signal }: Pick<AttemptRun, 'deadline' | 'signal'>,
): Promise<boolean> {
  const head = await readSealHead(account);
  const from = head?.to ?? beginning;
  if (from >= upTo) return false;
  const { items, to } = await nextEvents(account, from, upTo);
  const [oldest] = items;
  if (!oldest) return false;
  const late = secondsLate(oldest, upTo);
  if (late > 0) emitMetric(sealLag.metric, late, 'Seconds');
  const leaves = items.map(leafIn);
  const key = signingKey(signal);
  const statement: SealStatement = {
    version: 1,
    accountId: account,
    number: (head?.version ?? 0) + 1,
    from,
    to,
    count: leaves.length,
    root: rootOf(leaves.map(({ hash }) => hash)).toString('hex'),
    previous: head?.hash ?? null,
  };
  const [signature, verifyingKey] = await Promise.all([
    key.sign(statementText(statement)),
    key.verifyingKey(),
    keepLeaves(account, statement, leaves),
  ]);
  try {
    await appendSeal({ ...statement, signature, verifyingKey }, head, deadline);
    return to < upTo;
  } catch (error) {
    const moved = error instanceof VersionConflict && (await readSealHead(account))?.hash !== head?.hash;
    if (!moved) throw error;
    return true;
  }
}

/** How late the oldest event is sealed, in seconds. 0 or less if it is sealed on time. */
const secondsLate = (oldest: Item, upTo: string): number =>
  (Date.parse(upTo) - mintedAt(Number(oldest.sk)).getTime()) / 1000 - sealedEvery * 60;

/** Returns the events and the end of the next seal. The end is before `upTo` if one seal cannot contain all events. */
async function nextEvents(
  account: AccountId,
  from: string,
  upTo: string,
): Promise<{ items: Item[]; to: string }> {
  const items = await eventsWithin(account, { from, to: upTo }, mostEvents);
  const last = items.at(-1);
  if (!last || items.length < mostEvents) return { items, to: upTo };
  const after = Number(last.sk);
  // All events of a millisecond must be in the same seal.
  const to = new Date(mintedAt(after).getTime() + 1).toISOString();
  return { items: [...items, ...(await eventsWithin(account, { from, to, after }))], to };
}
