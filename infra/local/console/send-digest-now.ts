import { setTimeout as sleep } from 'node:timers/promises';
import { listedAccounts } from '../../../shared/accounts/directory.ts';
import type { AccountId } from '../../../shared/id/account-id.ts';
import {
  type Cadence,
  periodAt,
  type UsersDigest,
  usersDigestId,
} from '../../../shared/messaging/messages/digest-period.ts';
import {
  digestPartition,
  digestRowsAfter,
  readDigestRowKey,
} from '../../../shared/messaging/messages/keys.ts';
import { readSender } from '../../../shared/messaging/messages/read-sender.ts';
import { memberships } from '../../../shared/people/users/store.ts';
import { queryItems } from '../../../shared/table/read.ts';
import { enqueue } from '../../../shared/work-queue/enqueue.ts';
import { findWorkItem } from '../../../shared/work-queue/list-work-items.ts';

const cadences = ['hourly', 'weekly', 'monthly'] as const satisfies readonly Cadence[];
export const isCadence = (value: unknown): value is Cadence => cadences.some((one) => one === value);

/** A digest that a user will receive at the end of the current period. */
interface WaitingDigest extends UsersDigest {
  account: AccountId;
  user?: string;
  events: number;
  due: string;
}

/** Lists the digests of the current periods in all accounts. */
export async function waitingDigests(now: Date): Promise<WaitingDigest[]> {
  const accounts = await listedAccounts();
  return (await Promise.all(accounts.map((account) => waitingOf(account, now)))).flat();
}

async function waitingOf(account: AccountId, now: Date): Promise<WaitingDigest[]> {
  const { timezone } = await readSender(account);
  const found = cadences.map(async (digest) => {
    const { name: period, due } = periodAt(digest, now, timezone);
    const partition = digestPartition({ account, cadence: digest, period });
    const rows = await queryItems({ partition, sortKey: digestRowsAfter(0) });
    const counts = new Map<number, number>();
    for (const { sk } of rows) {
      const { userId } = readDigestRowKey(sk);
      counts.set(userId, (counts.get(userId) ?? 0) + 1);
    }
    return Promise.all(
      [...counts].map(async ([userId, events]) => {
        const user = (await memberships.find(account, userId))?.email;
        const base = { account, digest, period, userId, events, due: due.toISOString() };
        return { ...base, ...(user !== undefined && { user }) };
      }),
    );
  });
  return (await Promise.all(found)).flat();
}

const day = 86_400_000;
/** The longest wait for the result of a digest, in milliseconds. */
const longestWait = 15_000;

interface DigestResult {
  status: 'waiting' | 'delivered' | 'failed' | 'cancelled';
  /** Why the digest was not sent, for example `empty`. */
  reason?: string;
}

/**
 * Sends the current content of a user's digest through the work queue of mail. The service also sends the digest at the end of
 * its period. Waits up to 15 s for the result, and returns the status of the mail's work item.
 */
export async function sendDigestNow(account: AccountId, content: UsersDigest): Promise<DigestResult> {
  const now = new Date();
  const workQueue = { account, name: 'MAIL' } as const;
  const id = `${usersDigestId(content)}-at-${now.getTime()}`;
  const workItem = { id, content, due: now, expires: new Date(now.getTime() + 30 * day) };
  const end = now.getTime() + longestWait;
  await enqueue(workQueue, workItem, { now, deadline: end });
  for (;;) {
    const { status = 'waiting', attempts = [] } = (await findWorkItem(workQueue, id, new Date())) ?? {};
    const reason = attempts.at(-1)?.reason;
    if (status !== 'waiting' || Date.now() >= end)
      return { status, ...(typeof reason === 'string' && { reason }) };
    await sleep(100);
  }
}
