import { expect, test } from 'vitest';
import notifications from '../../events/consumers/notifications.ts';
import listNotifications from '../../functions/notifications/list-notifications.ts';
import markAllRead from '../../functions/notifications/mark-all-read.ts';
import { mintedAt, mintId } from '../../shared/id/mint.ts';
import { addToInbox } from '../../shared/messaging/notifications/add-to-inbox.ts';
import { type InboxOwner, inboxKey } from '../../shared/messaging/notifications/keys.ts';
import { inboxOf } from '../../shared/messaging/notifications/list-inbox.ts';
import { dayOfArrival } from '../../shared/messaging/notifications/rules.ts';
import { notificationWrite } from '../../shared/messaging/notifications/store.ts';
import { render } from '../../shared/messaging/recipients/templates.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import type { Item } from '../../shared/table/item.ts';
import { isCounterDelta, type Write } from '../../shared/table/operations.ts';
import { clock } from '../harness/clock.ts';
import { redeliveredBy } from '../harness/drain.ts';
import { fullInbox } from '../harness/heavy.ts';
import { member } from '../harness/member.ts';
import { eventOf } from '../harness/notify.ts';
import { tenant } from '../harness/tenant.ts';
import { runAs } from '../harness/wire.ts';
import { measure } from './meter.ts';

const acme = await tenant();
const permissions: Permission[] = ['readNotifications', 'readLeads'];
const day = 86_400_000;
/** The read units of authentication by session: user, session, membership, account, roles and counters. */
const authentication = 7;

const assigned = () =>
  eventOf(acme.accountId, {
    subject: { type: 'lead', id: 214563398120447, version: 12, assignedTo: '214563398120440' },
    data: { from: '214563398120441', to: '214563398120440' },
  });
const text = () => render(assigned(), { portalUrl: 'https://portal.example.com' });

const itemOf = (write: Write): Item => {
  if (isCounterDelta(write) || !('Put' in write.operation)) throw new Error('The write is not a Put.');
  return write.operation.Put.Item as Item;
};

/** Creates a member and an inbox with this number of unread notifications from the last 90 days. */
async function inboxWith(many: number) {
  const { client, user } = await member(acme, permissions);
  const owner: InboxOwner = { account: acme.accountId, userId: user.id };
  const now = clock.now().getTime();
  const positions = Array.from({ length: many }, (_, n) =>
    mintId(new Date(now - Math.floor(((many - n) * 90 * day) / many))),
  );
  const counts: Record<string, number> = {};
  const items = positions.map((position) => {
    const arrival = `u${dayOfArrival(position)}`;
    counts[arrival] = (counts[arrival] ?? 0) + 1;
    const { id, kind } = assigned();
    const data = { to: '214563398120440', eventId: id, subject: assigned().subject, actor: assigned().actor };
    return itemOf(
      notificationWrite(owner, {
        id,
        position,
        filedAt: position,
        event: kind,
        needs: ['readLeads'],
        data,
        text: text(),
      }),
    );
  });
  await putAll([...items, { ...inboxKey(owner), filedUpTo: positions.at(-1) ?? 0, ...counts }]);
  return { client, owner, newest: mintedAt(positions.at(-1) ?? 0) };
}

const [few, full] = [await inboxWith(10), await inboxWith(fullInbox)];

test(`the first page of an inbox of 10 or ${fullInbox} notifications reads at most 10 units in addition to authentication`, async () => {
  for (const { client } of [few, full])
    for (const query of [{}, { sort: '-created' }, { markedRead: false }]) {
      await client.ok(listNotifications, { query });
      const { read } = await measure(() => client.ok(listNotifications, { query }));
      expect(read - authentication).toBeLessThanOrEqual(10);
    }
});

test('adding a notification writes at most 8 units, even if the inbox is full', async () => {
  for (const { owner } of [few, full]) {
    const { write, read } = await measure(() =>
      runAs({ functionName: 'events-notifications' }, () =>
        addToInbox(
          { ...owner, event: assigned(), text: text() },
          { now: clock.now(), deadline: Date.now() + 60_000 },
        ),
      ),
    );
    expect(write).toBeLessThanOrEqual(8);
    expect(read).toBe(0);
  }
});

test('the consumer writes at most 10 units for `lead_assigned` if the inbox is full', async () => {
  const { owner } = full;
  const event = eventOf(acme.accountId, {
    subject: { type: 'lead', id: 214563398120447, version: 12, assignedTo: String(owner.userId) },
    data: { from: '214563398120441', to: String(owner.userId) },
  });
  const inbox = () => inboxOf(owner, clock.now()).unreadTotal();
  const before = await inbox();
  const { write } = await measure(() => redeliveredBy(notifications)([event]));
  expect(await inbox()).toBe(before + 1);
  expect(write).toBeLessThanOrEqual(10);
});

test('marking any number of notifications as read takes one read and one transaction in the inbox', async () => {
  for (const { client } of [few, full]) {
    const { result, exchanges } = await measure(() => client.ok(markAllRead));
    expect(result.markedCount).toBeGreaterThan(9);
    const own = exchanges.filter(({ input }) => JSON.stringify(input).includes('#INBOX#'));
    expect(own.map(({ operation }) => operation)).toEqual(['GetItem', 'TransactWriteItems']);
  }
});
