import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import '../harness/engine.ts';
import type { Event } from '../../shared/events/envelope.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { addToInbox } from '../../shared/messaging/notifications/add-to-inbox.ts';
import { markAll, readInbox } from '../../shared/messaging/notifications/inbox-item.ts';
import { type InboxOwner, inboxKey, notificationKey } from '../../shared/messaging/notifications/keys.ts';
import { inboxOf } from '../../shared/messaging/notifications/list-inbox.ts';
import { findNotification, markNotification } from '../../shared/messaging/notifications/store.ts';
import type { Write } from '../../shared/table/operations.ts';
import { getItems } from '../../shared/table/read.ts';
import { transact, VersionConflict } from '../../shared/table/transact.ts';
import { byChoice, interleave } from '../harness/interleave.ts';
import { runAs } from '../harness/wire.ts';

const day = 86_400_000;
/** The clock of all tests. It is never set back, because minted ids always increase. */
let time = Date.UTC(2026, 2, 1, 9);
const at = (milliseconds = 0) => new Date(time + milliseconds);
const account = 'acme' as AccountId;
const text = { subject: 'A lead was assigned', body: 'Ada Byron.', error: false };
const deadline = () => Date.now() + 60_000;

const eventOf = (id: number): Event => ({
  id,
  kind: 'lead_assigned',
  version: 1,
  accountId: account,
  actor: { user: 'grace@example.com', apiKey: null },
  subject: { type: 'lead', id: 7, version: 2 },
  data: { to: '1' },
  request: { method: 'PATCH', path: '/leads/7', headers: {}, ipAddress: '' },
  occurredAt: '2026-02-28T09:00:00.000Z',
});

let users = 0;
const emptyInbox = (): InboxOwner => ({ account, userId: ++users });

const arrive = (owner: InboxOwner, id: number, now: Date, add = addToInbox) =>
  add({ ...owner, event: eventOf(id), text }, { now, deadline: deadline() });

// Imports the module again, like a second instance of the function. Its clock is ahead, and it mints its own
// ids.
vi.resetModules();
const { addToInbox: addElsewhere } = await import('../../shared/messaging/notifications/add-to-inbox.ts');
const ahead = 90_000;
const arriveAhead = (owner: InboxOwner, id: number) => arrive(owner, id, at(ahead), addElsewhere);

/** Commits an endpoint's decision, and retries on conflicts. */
async function decideAndWrite<T>(decide: () => Promise<T & { writes: Write[] }>): Promise<T> {
  for (;;)
    try {
      const decided = await decide();
      await transact(decided.writes, deadline());
      return decided;
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
    }
}

const mark = (owner: InboxOwner, id: number, read: boolean, now: Date) =>
  decideAndWrite(async () => markNotification(await findNotification(owner, id, now), read, now));

async function markAllRead(owner: InboxOwner, now: Date): Promise<number> {
  const { markedCount } = await decideAndWrite(async () => markAll(owner, await readInbox(owner), now));
  return markedCount;
}

/** Returns the ids of unread and read notifications, newest first, and the unread count. */
async function contentsOf(owner: InboxOwner, now: Date) {
  const { newestUnread, unreadTotal, newestRead } = inboxOf(owner, now);
  const [{ items }, total, read] = await Promise.all([newestUnread({}), unreadTotal(), newestRead({})]);
  return { unread: items.map(({ id }) => id), total, read: read.items.map(({ id }) => id) };
}

describe('an inbox', () => {
  test('contains one notification of an event that arrives repeatedly', async () => {
    const owner = emptyInbox();
    await Promise.all([
      arrive(owner, 1, at()),
      arrive(owner, 1, at()),
      arriveAhead(owner, 1),
      arrive(owner, 2, at()),
    ]);
    await mark(owner, 1, true, at());
    time += day;
    await arrive(owner, 1, at());
    expect(await contentsOf(owner, at())).toEqual({ unread: [2], total: 1, read: [1] });
  });

  test('shows a notification as unread if it arrives late, after all newer notifications were marked as read', async () => {
    const owner = emptyInbox();
    await arriveAhead(owner, 2);
    expect(await markAllRead(owner, at())).toBe(1);
    // Event 1 is older than event 2, and is added by an instance whose clock is behind.
    await arrive(owner, 1, at());
    expect(await contentsOf(owner, at())).toEqual({ unread: [1], total: 1, read: [2] });
  });

  test.each([true, false])(
    'refuses the second of two requests that mark the same notification, read: %s',
    async (read) => {
      const owner = emptyInbox();
      await arrive(owner, 1, at());
      if (!read) await mark(owner, 1, true, at());
      const decide = async () => markNotification(await findNotification(owner, 1, at()), read, at());
      const [first, second] = await Promise.all([decide(), decide()]);
      await transact(first.writes, deadline());
      await expect(transact(second.writes, deadline())).rejects.toBeInstanceOf(VersionConflict);
      const [unread, marked] = read ? [[], [1]] : [[1], []];
      expect(await contentsOf(owner, at())).toEqual({ unread, total: unread.length, read: marked });
    },
  );

  test('keeps the position of a notification that is marked as unread again', async () => {
    const owner = emptyInbox();
    const next = () => {
      time += 60_000;
      return at();
    };
    for (const id of [1, 2, 3]) await arrive(owner, id, next());
    await markAllRead(owner, next());
    await mark(owner, 2, false, next());
    await mark(owner, 3, false, next());
    for (const id of [4, 5]) await arrive(owner, id, next());
    expect(await contentsOf(owner, at())).toEqual({ unread: [5, 4, 3, 2], total: 4, read: [1] });
    await mark(owner, 5, true, next());
    await mark(owner, 5, false, next());
    expect((await contentsOf(owner, at())).unread).toEqual([5, 4, 3, 2]);
    expect(await markAllRead(owner, next())).toBe(4);
    expect(await contentsOf(owner, at())).toEqual({ unread: [], total: 0, read: [5, 4, 3, 2, 1] });
  });
});

type Act =
  | { arrives: number; ahead: boolean }
  | { marks: number; read: boolean }
  | { marksAll: true }
  | { passes: number };

const id = fc.integer({ min: 1, max: 6 });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ arrives: id, ahead: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ marks: id, read: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constant<Act>({ marksAll: true }) },
  { weight: 1, arbitrary: fc.record({ passes: fc.constantFrom(1, 30 * day, 89 * day) }) },
);

test('the inbox item is kept a week longer than its last notification', async () => {
  const owner = emptyInbox();
  const week = 7 * 86_400;
  for (const id of [1, 2]) {
    time += 3 * day;
    await arrive(owner, id, at());
    const { notification } = await findNotification(owner, id, at());
    const [item, inbox] = await getItems([notificationKey(owner, notification), inboxKey(owner)]);
    expect(Number(inbox?.expiresAtSeconds) - Number(item?.expiresAtSeconds)).toBe(week);
  }
});

test('lists and counts are correct after any sequence of new notifications, changes of the read state, and passing days', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 18 }), async (acts) => {
      const owner = emptyInbox();
      const model = new Map<number, { read: boolean; day: number }>();
      // The time is far from midnight, so that both clocks are on the same day.
      time = Math.ceil(time / day) * day + day / 3;
      const pass = (milliseconds: number) => {
        time += milliseconds;
        for (const [known, { day: arrival }] of model)
          if (Math.floor(time / day) > arrival + 90) model.delete(known);
      };
      for (const one of acts) {
        pass(10);
        if ('arrives' in one) {
          await (one.ahead ? arriveAhead(owner, one.arrives) : arrive(owner, one.arrives, at()));
          if (!model.has(one.arrives)) model.set(one.arrives, { read: false, day: Math.floor(time / day) });
        } else if ('marks' in one) {
          const known = model.get(one.marks);
          const marking = mark(owner, one.marks, one.read, at());
          if (known) await marking;
          else await expect(marking).rejects.toThrow('No notification');
          if (known) known.read = one.read;
        } else if ('marksAll' in one) {
          const unread = [...model.values()].filter(({ read }) => !read);
          expect(await markAllRead(owner, at())).toBe(unread.length);
          for (const notification of unread) notification.read = true;
        } else pass(one.passes);
      }
      const { unread, read, total } = await contentsOf(owner, at());
      const those = (wanted: boolean) =>
        [...model].filter(([, one]) => one.read === wanted).map(([one]) => one);
      expect(unread.toSorted()).toEqual(those(false).toSorted());
      expect(read.toSorted()).toEqual(those(true).toSorted());
      expect(total).toBe(unread.length);
      for (const list of Object.values(await positions(owner)))
        expect(list).toEqual(list.toSorted((one, other) => other - one));
    }),
    { numRuns: 40 },
  );
});

async function positions(owner: InboxOwner) {
  const { newestUnread, newestRead } = inboxOf(owner, at());
  const [{ items }, read] = await Promise.all([newestUnread({}), newestRead({})]);
  return [items, read.items].map((list) => list.map(({ position }) => position));
}

test('a notification that arrives while all notifications are marked as read is either counted as unread or marked as read', async () => {
  const expectAll = async (owner: InboxOwner, ids: number[], marks: number[]) => {
    const { unread, read, total } = await contentsOf(owner, at());
    expect([...unread, ...read].toSorted()).toEqual(ids);
    expect(total).toBe(unread.length);
    expect(marks.reduce((sum, count) => sum + count, 0)).toBe(read.length);
  };
  for (let round = 0; round < 5; round++) {
    const owner = emptyInbox();
    const ids = [1, 2, 3, 4, 5, 6];
    const [marks] = await Promise.all([
      Promise.all([markAllRead(owner, at()), markAllRead(owner, at())]),
      ...ids.map((one) => (one % 2 ? arriveAhead(owner, one) : arrive(owner, one, at()))),
    ]);
    await expectAll(owner, ids, marks);
  }
  // Interleaves the requests in several orders.
  const as = <T>(act: () => Promise<T>) => runAs({ functionName: 'a function' }, act);
  const choices = fc.array(fc.nat(3), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(choices, async (picked) => {
      const owner = emptyInbox();
      const marks: number[] = [];
      await interleave(
        [
          () => as(async () => void marks.push(await markAllRead(owner, at()))),
          () => as(() => arrive(owner, 1, at())),
          () => as(() => arriveAhead(owner, 2)),
          () => as(() => arrive(owner, 3, at())),
        ],
        byChoice(picked),
      );
      await expectAll(owner, [1, 2, 3], marks);
    }),
    { numRuns: 25 },
  );
});
