import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import '../harness/engine.ts';
import listNotifications from '../../functions/notifications/list-notifications.ts';
import markAllRead from '../../functions/notifications/mark-all-read.ts';
import markNotification from '../../functions/notifications/mark-notification.ts';
import setNotificationPreferences from '../../functions/users/set-notification-preferences.ts';
import setUserPermissions from '../../functions/users/set-user-permissions.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { failCalls, transientFaultsOf } from '../harness/call-faults.ts';
import { clock } from '../harness/clock.ts';
import { concurrently } from '../harness/concurrently.ts';
import { joins, type Member, member, memberPassword } from '../harness/member.ts';
import { notify } from '../harness/notify.ts';
import { client, signIn, type Tenant, tenant } from '../harness/tenant.ts';
import type { WireFault } from '../harness/wire.ts';

let acme: Tenant;
beforeAll(async () => {
  acme = await tenant();
});

/** Creates a member with an empty inbox. `notified` adds a notification of an event to the inbox. */
async function reader(more: Parameters<typeof member>[1] = ['readLeads']) {
  const one = await member(acme, ['readNotifications', ...more]);
  const of = { account: acme.accountId, email: one.user.email };
  return {
    ...one,
    notified: (event: Partial<Event> = {}, portalUrl?: string) => notify({ ...of, portalUrl }, event),
  };
}

const listed = async ({ client }: Pick<Member, 'client'>, query: object = {}): Promise<number[]> =>
  (await client.ok(listNotifications, { query })).data.map(({ id }) => id);

describe('GET /notifications', () => {
  test('lists unread notifications, newest first, with every field', async () => {
    const { client, user, notified } = await reader();
    const older = await notified({}, 'https://portal.example.com/');
    clock.advance(1000);
    const newer = await notified({ data: { from: '214563398120440' } });
    const { data, ...page } = await client.ok(listNotifications);
    expect(page).toEqual({
      totalCount: 2,
      totalPages: 1,
      currentPage: 1,
      userDoesNotHaveNotificationPreferencesConfigured: true,
    });
    expect(data.map(({ id }) => id)).toEqual([newer, older]);
    expect(data[1]).toEqual({
      id: older,
      event: 'lead_assigned',
      user: user.email,
      account_id: acme.accountId,
      data: {
        to: '214563398120440',
        eventId: older,
        subject: { type: 'lead', id: 214563398120447, version: 2 },
        actor: { user: 'grace@example.com', apiKey: null },
      },
      notificationSubject: 'Lead assigned: 214563398120447',
      notificationBody: 'grace@example.com changed the assignee of the lead 214563398120447.',
      portalLink: 'https://portal.example.com/leads/214563398120447',
      portalLinkDescription: 'Open the lead',
      error: false,
      markedRead: false,
      created: expect.stringMatching(/Z$/),
    });
    // The account had no portal address when the newer notification arrived.
    expect(data[0]).toMatchObject({
      portalLink: '/leads/214563398120447',
      portalLinkDescription: 'Open the lead',
    });
  });

  test('lists only read notifications if markedRead=true, and only unread notifications by default', async () => {
    const one = await reader();
    const [first, second] = [await one.notified(), await one.notified()];
    await one.client.ok(markNotification, { params: { id: first }, body: { markedRead: true } });
    expect(await listed(one)).toEqual([second]);
    expect(await listed(one, { markedRead: false })).toEqual([second]);
    expect(await listed(one, { markedRead: true })).toEqual([first]);
    const { totalCount } = await one.client.ok(listNotifications, { query: { markedRead: true } });
    expect(totalCount).toBe(1);
  });

  test('filters by kinds, error and time of arrival, and searches the texts', async () => {
    const one = await reader(['readLeads', 'readWebhooks']);
    const lead = await one.notified();
    clock.advance(1000);
    const failed = await one.notified({
      kind: 'api_rate_limited',
      subject: { type: 'lead', id: 7 },
      data: { limit: 600, minute: '2026-03-01T09:30' },
    });
    clock.advance(1000);
    const created = await one.notified({ kind: 'lead_qualified', data: { reason: 'Wants Ten Terminals' } });
    const all = [created, failed, lead];
    expect(await listed(one)).toEqual(all);
    expect(await listed(one, { event: 'lead_assigned' })).toEqual([lead]);
    expect(await listed(one, { event: ['lead_assigned', 'lead_qualified'] })).toEqual([created, lead]);
    expect(await listed(one, { error: true })).toEqual([failed]);
    expect(await listed(one, { error: false })).toEqual([created, lead]);
    const { data } = await one.client.ok(listNotifications);
    expect(await listed(one, { since: data[1]?.created })).toEqual([created]);
    expect(await listed(one, { search: 'ten terminals' })).toEqual([created]);
    expect(await listed(one, { search: 'lead_qual' })).toEqual([created]);
    expect(await listed(one, { search: one.user.email })).toEqual(all);
    expect(await listed(one, { search: acme.accountId })).toEqual(all);
    // The search does not cover the field `data`.
    expect(await listed(one, { search: '214563398120440' })).toEqual([]);
    expect(await listed(one, { pageSize: 2, page: 2 })).toEqual([lead]);
  });

  test('with a cursor, returns each notification once, even while others arrive or are marked as read', async () => {
    const one = await reader();
    const ids: number[] = [];
    for (let n = 0; n < 7; n++) ids.unshift(await one.notified());
    const mark = (id: number | undefined) =>
      one.client.ok(markNotification, { params: { id: id ?? 0 }, body: { markedRead: true } });
    const readAll = async (query: object, between = async (_: number) => {}) => {
      const pages: number[][] = [];
      for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined; ) {
        const page: { data: { id: number }[]; nextCursor?: string | null } = await one.client.ok(
          listNotifications,
          { query: { ...query, pageSize: 2, cursor } },
        );
        pages.push(page.data.map(({ id }) => id));
        cursor = page.nextCursor;
        await between(pages.length);
      }
      return pages.flat();
    };
    const unread = await readAll({}, async (page) => {
      await one.notified();
      // `ids[0]` is on the page that was just read. `ids[5]` would be on a later page.
      if (page === 1) await Promise.all([mark(ids[0]), mark(ids[5])]);
    });
    expect(unread).toEqual(ids.toSpliced(5, 1));
    expect(await readAll({ markedRead: true })).toEqual([ids[0], ids[5]]);
    await Promise.all(ids.slice(1, 5).map(mark));
    expect(await readAll({ markedRead: true })).toEqual(ids.slice(0, 6));
  });

  test('sorts alphabetically by one or several scalar fields', async () => {
    const one = await reader();
    const assigned = await one.notified();
    clock.advance(1000);
    const second = await one.notified({ kind: 'lead_qualified', data: {} });
    clock.advance(1000);
    const first = await one.notified({ kind: 'lead_archived', data: {} });
    expect(await listed(one, { sort: 'event' })).toEqual([first, assigned, second]);
    expect(await listed(one, { sort: '-event' })).toEqual([second, assigned, first]);
    expect(await listed(one, { sort: 'created' })).toEqual([assigned, second, first]);
    expect(await listed(one, { sort: '-created' })).toEqual(await listed(one));
    expect(await listed(one, { sort: 'error,-notificationSubject' })).toEqual([second, assigned, first]);
    for (const sort of ['data', 'nothing'] as string[])
      expect((await one.client.call(listNotifications, { query: { sort } })).status).toBe(400);
    const others = [
      'id',
      'user',
      'account_id',
      'notificationBody',
      'portalLink',
      'portalLinkDescription',
      'markedRead',
    ];
    for (const sort of others) expect(await listed(one, { sort })).toHaveLength(3);
  });

  test('reports whether the caller has preferences for this account or for all accounts', async () => {
    const one = await reader();
    const configured = async () => {
      const response = await one.client.ok(listNotifications);
      return !response.userDoesNotHaveNotificationPreferencesConfigured;
    };
    const set = (rules: object[]) =>
      one.client.ok(setNotificationPreferences, { params: { email: one.user.email }, body: rules as [] });
    const other = await tenant();
    await joins(one, other);
    const rule = { event: 'lead_assigned', deliveryPref: [] };
    expect(await configured()).toBe(false);
    await set([{ ...rule, accountId: other.accountId }]);
    expect(await configured()).toBe(false);
    await set([{ ...rule, accountId: acme.accountId }]);
    expect(await configured()).toBe(true);
    await set([rule]);
    expect(await configured()).toBe(true);
  });

  test('returns an empty inbox to an API key, which cannot mark notifications', async () => {
    expect(listNotifications.contract.description).toContain('The inbox of an API key is always empty');
    expect(await acme.key.ok(listNotifications)).toEqual({
      data: [],
      totalCount: 0,
      totalPages: 0,
      currentPage: 1,
      userDoesNotHaveNotificationPreferencesConfigured: true,
    });
    expect(await acme.key.ok(markAllRead)).toEqual({ markedCount: 0 });
    const { notified } = await reader();
    const sent = { params: { id: await notified() }, body: { markedRead: true } };
    expect((await acme.key.call(markNotification, sent)).status).toBe(404);
  });

  test('hides the text, data and link of a notification if the caller may no longer read its record', async () => {
    const { client, user, notified } = await reader(['readLeads', 'readTickets', 'readInternalComments']);
    await notified({}, 'https://portal.example.com');
    await notified({
      kind: 'ticket_comment_added',
      subject: { type: 'ticket', id: 8 },
      data: { commentId: 1, visibility: 'internal', authorType: 'staff' },
    });
    const concerned = await notified({
      kind: 'user_password_changed',
      subject: { type: 'user', id: user.id },
      data: { by: 'password' },
    });
    expect(
      (await client.ok(listNotifications, { query: { search: 'changed the assignee' } })).data,
    ).toHaveLength(1);
    await acme.admin.ok(setUserPermissions, {
      params: { email: user.email },
      body: { flatPermissionsList: ['readNotifications', 'readTickets'] },
    });
    const { data } = await client.ok(listNotifications);
    const withheld = {
      data: {},
      notificationSubject: '',
      notificationBody: '',
      error: false,
      portalLink: '/notifications',
      portalLinkDescription: 'Open the notifications',
    };
    expect(data).toMatchObject([
      // Users can always read events about themselves.
      { id: concerned, notificationBody: expect.stringContaining('password') },
      { event: 'ticket_comment_added', ...withheld },
      { event: 'lead_assigned', ...withheld },
    ]);
    // Checks that `data` has no fields, because toMatchObject ignores additional fields.
    expect(data.slice(1).map((one) => one.data)).toEqual([{}, {}]);
    for (const search of ['changed the assignee', 'portal.example.com'])
      expect((await client.ok(listNotifications, { query: { search } })).data).toEqual([]);
  });
});

describe('marking notifications as read', () => {
  test('changes markedRead only for the user’s own notifications, and is idempotent', async () => {
    const [one, other] = [await reader(), await reader()];
    const id = await one.notified();
    const mark = (markedRead: boolean) => ({ params: { id }, body: { markedRead } });
    expect((await other.client.call(markNotification, mark(true))).status).toBe(404);
    for (const markedRead of [true, true, false, false]) {
      expect(await one.client.ok(markNotification, mark(markedRead))).toMatchObject({ id, markedRead });
      const { totalCount } = await one.client.ok(listNotifications);
      expect(totalCount).toBe(markedRead ? 0 : 1);
    }
  });

  test('marks all notifications of inboxes with 10 and with 350 notifications', async () => {
    for (const many of [350, 10]) {
      const one = await reader();
      for (let n = 0; n < many; n += 10) await concurrently(10, () => one.notified());
      expect((await one.client.ok(listNotifications)).totalCount).toBe(many);
      expect(await one.client.ok(markAllRead)).toEqual({ markedCount: many });
      expect(await one.client.ok(markAllRead)).toEqual({ markedCount: 0 });
      expect(await one.client.ok(listNotifications)).toMatchObject({ data: [], totalCount: 0 });
      const query = { markedRead: true };
      expect((await one.client.ok(listNotifications, { query })).totalCount).toBe(many);
    }
  });

  test('returns the exact number of marked notifications, even after a conflict and a lost response', async () => {
    const one = await reader();
    for (let n = 0; n < 3; n++) await one.notified();
    const faults = new Map<string, WireFault[]>();
    const { injected, stop } = failCalls((request) => {
      if (!/^(Update|TransactWrite)/.test(request.operation)) return undefined;
      if (!JSON.stringify(request.input).includes('#INBOX#')) return undefined;
      if (!faults.has(request.operation))
        faults.set(
          request.operation,
          transientFaultsOf(request).filter((fault) => /Conflict|lost/.test(JSON.stringify(fault))),
        );
      return faults.get(request.operation)?.shift();
    });
    onTestFinished(stop);
    expect(await one.client.ok(markAllRead)).toEqual({ markedCount: 3 });
    expect([...injected.values()]).toEqual([1, 1]);
    expect(await one.client.ok(listNotifications)).toMatchObject({ data: [], totalCount: 0 });
  });
});

// This test is the last one, because it advances the clock, and all ids created later would contain the advanced time.
test('a notification expires at the end of the 90th day, and is then no longer counted', async () => {
  const one = await reader();
  const id = await one.notified();
  const midnight = Math.ceil((clock.now().getTime() + 1) / 86_400_000) * 86_400_000;
  // Signs in again, because the session has expired by then.
  const later = async (milliseconds: number) => {
    clock.advance(midnight - clock.now().getTime() + 90 * 86_400_000 + milliseconds);
    const authorization = await signIn({ email: one.user.email, password: memberPassword });
    return client({ 'x-account-id': acme.accountId, authorization });
  };
  const before = await later(-60_000);
  expect(await before.ok(listNotifications)).toMatchObject({ data: [{ id }], totalCount: 1 });
  clock.advance(61_000);
  const { totalCount, data } = await before.ok(listNotifications);
  expect({ totalCount, data }).toEqual({ totalCount: 0, data: [] });
  expect((await before.call(markNotification, { params: { id }, body: { markedRead: true } })).status).toBe(
    404,
  );
  expect(await before.ok(markAllRead)).toEqual({ markedCount: 0 });
});
