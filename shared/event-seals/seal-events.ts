import type { Job, JobContent } from '../backlogs/jobs.ts';
import type { AccountId } from '../id/account-id.ts';
import { mintedAt } from '../id/mint.ts';
import { sealKey } from '../security/seal-key.ts';
import type { Item } from '../table/item.ts';
import { VersionConflict } from '../table/transact.ts';
import { rootOf } from './merkle.ts';
import { leafIn, type Statement, statementText } from './seal.ts';
import { appendSeal, beginning, eventsWithin, keepLeaves, readSealHead } from './store.ts';

/** The job that seals the events of an account up to an instant. */
export interface SealContent extends JobContent {
  job: 'seal_events';
  /** ISO 8601 with milliseconds. */
  to: string;
}

/** A seal has so many events, and what else was minted in the millisecond of the last: its leaves fit an item. */
const mostEvents = 1000;
/** Time that a seal may still take, in milliseconds. */
const margin = 5_000;
/** Until it is tried again where it failed, in milliseconds. */
const retryTime = 60_000;

/**
 * Seals what an account's log has up to an instant: seal after seal, each behind the newest. Where that fails, such as for
 * want of KMS, it is told in the log and comes again, and holds up no other job.
 */
export const sealEvents: Job<SealContent> = async ({ content }, { account }, { now, deadline, signal }) => {
  try {
    while (await sealNext(account, content.to, deadline))
      if (Date.now() >= deadline - margin || signal.aborted) return { content, again: now };
    return { status: 'delivered' };
  } catch (error) {
    console.error(`The events of ${account} could not be sealed up to ${content.to}:`, error);
    return { again: new Date(now.getTime() + retryTime), ownFault: true };
  }
};

/** Writes the next seal of an account. False: there is nothing to seal up to this instant. */
async function sealNext(account: AccountId, upTo: string, deadline: number): Promise<boolean> {
  const head = await readSealHead(account);
  const from = head?.to ?? beginning;
  if (from >= upTo) return false;
  const { items, to } = await nextEvents(account, from, upTo);
  if (items.length === 0) return false;
  const leaves = items.map(leafIn);
  const key = sealKey();
  const statement: Statement = {
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
  } catch (error) {
    // Another worker was faster: there is a newer seal to go on from.
    if (!(error instanceof VersionConflict)) throw error;
  }
  return true;
}

/** The events of the next seal, and where it ends: earlier than asked for where those are too many. */
async function nextEvents(
  account: AccountId,
  from: string,
  upTo: string,
): Promise<{ items: Item[]; to: string }> {
  const items = await eventsWithin(account, { from, to: upTo }, mostEvents);
  const last = items.at(-1);
  if (!last || items.length < mostEvents) return { items, to: upTo };
  const after = Number(last.sk);
  // A seal ends between two milliseconds.
  const to = new Date(mintedAt(after).getTime() + 1).toISOString();
  return { items: [...items, ...(await eventsWithin(account, { from, to, after }))], to };
}
