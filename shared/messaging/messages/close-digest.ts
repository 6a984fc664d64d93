import { asSeconds } from '../../table/item.ts';
import { queryItems } from '../../table/read.ts';
import { newRevision, overwrite } from '../../table/revised-item.ts';
import { enqueue } from '../../work-queue/enqueue.ts';
import type { AttemptResult, AttemptRun } from '../../work-queue/work-handler.ts';
import type { DigestClosing } from './add-to-digest.ts';
import { dueOf, type UsersDigest, usersDigestId } from './digest-period.ts';
import { digestClosedKey, digestPartition, digestRowsAfter, readDigestRowKey } from './keys.ts';
import type { SendingRun } from './read-sender.ts';

const hour = 3_600_000;
/** How long the mails of a digest are kept, in milliseconds. */
const kept = 30 * 24 * hour;
/** The number of users whose mails one step enqueues. */
const usersAtOnce = 25;

/**
 * Closes a digest when it is due, and enqueues a mail for each user in it, step by step. Until then, runs again every
 * hour, because a change of the account's zone moves the due time. A closed digest accepts no more rows.
 */
export async function closeDigest(
  content: DigestClosing,
  { workQueue, sender }: SendingRun,
  { now, deadline }: AttemptRun,
): Promise<AttemptResult<DigestClosing>> {
  const { closes: cadence, period, after } = content;
  const due = dueOf(cadence, period, sender.timezone);
  if (due > now) return { content, again: new Date(Math.min(due.getTime(), now.getTime() + hour)) };
  const digest = { account: workQueue.account, cadence, period };
  const expires = new Date(now.getTime() + kept);
  await overwrite({
    ...digestClosedKey(digest),
    type: 'digest-closed',
    expiresAtSeconds: asSeconds(expires),
    revision: newRevision(),
  });
  let last = after;
  for (let opened = 0; opened < usersAtOnce; opened++) {
    const query = { partition: digestPartition(digest), sortKey: digestRowsAfter(last), limit: 1 };
    const [row] = await queryItems(query);
    if (!row) return { status: 'delivered' };
    const { userId } = readDigestRowKey(row.sk);
    const mail: UsersDigest = { digest: cadence, period, userId };
    await enqueue(workQueue, { id: usersDigestId(mail), due, content: mail, expires }, { now, deadline });
    last = userId;
  }
  return { content: { ...content, after: last }, again: now };
}
