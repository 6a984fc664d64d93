import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import leaveAccount from '../../functions/users/leave-account.ts';
import removeUserFromAccount from '../../functions/users/remove-user-from-account.ts';
import setNotificationPreferences from '../../functions/users/set-notification-preferences.ts';
import updateUser from '../../functions/users/update-user.ts';
import { channelNames } from '../../shared/channels/terms.ts';
import { commit } from '../../shared/events/outbox.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { readSubscribers } from '../../shared/messaging/subscriber-index/read-subscribers.ts';
import {
  rewriteSubscriberIndex,
  rewriteUserRows,
} from '../../shared/messaging/subscriber-index/rewrite-subscriber-index.ts';
import { subscriberKey, subscriberPartition } from '../../shared/people/users/keys.ts';
import { newUser } from '../../shared/people/users/make-user.ts';
import type { SubscriberIndexMarker } from '../../shared/people/users/mark-subscriber-index.ts';
import type { NotificationPreference } from '../../shared/people/users/notification-preferences.ts';
import { type OwnRule, ownRules } from '../../shared/people/users/own-rules.ts';
import type { StoredUser } from '../../shared/people/users/schema.ts';
import { users } from '../../shared/people/users/store.ts';
import { eventKinds } from '../../shared/resources/derived.ts';
import type { EventKind } from '../../shared/resources/registry.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { recordOf } from '../../shared/table/item.ts';
import { getItem, queryItems } from '../../shared/table/read.ts';
import { authoredBy, revise } from '../../shared/table/revise.ts';
import { joins, type Member, member } from '../harness/member.ts';
import { tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';

const [acme, globex] = [await tenant(), await tenant()];
const soon = () => Date.now() + 60_000;

const rewrite = (account: AccountId) => rewriteSubscriberIndex(account, soon());

/** Returns a user's rule in the index for a kind of event; `none` if there is no rule. */
async function ruleIn(account: AccountId, kind: EventKind, id: number): Promise<OwnRule | 'none'> {
  const { rules } = await readSubscribers({ account, kind, most: 250 });
  return rules.get(id) ?? 'none';
}
const setRules = ({ user, client }: Member, body: NotificationPreference[]) =>
  client.ok(setNotificationPreferences, { params: { email: user.email }, body });
const itemsOf = (account: AccountId, of: Parameters<typeof subscriberPartition>[1]) =>
  queryItems({ partition: subscriberPartition(account, of) });
const marked = async (account: AccountId) => (await itemsOf(account, 'CHANGED')).map(({ id }) => id);

describe('the subscriber index of a kind', () => {
  test('contains a rule as soon as the rule is saved, before and after the row of the rule is written', async () => {
    const ada = await member(acme);
    await setRules(ada, [
      { event: 'lead_created', deliveryPref: ['website'] },
      { event: 'lead_created', accountId: acme.accountId, deliveryPref: ['email', 'sms'] },
      { event: 'team_created', deliveryPref: [] },
    ]);
    const current = async () => [
      await ruleIn(acme.accountId, 'lead_created', ada.user.id),
      await ruleIn(acme.accountId, 'team_created', ada.user.id),
      await ruleIn(acme.accountId, 'lead_updated', ada.user.id),
    ];
    const rules = [
      { from: 'account', channels: ['email', 'sms'] },
      { from: 'default', channels: [] },
      'none',
    ];
    expect(await marked(acme.accountId)).toEqual([ada.user.id]);
    expect(await current()).toEqual(rules);
    expect(await rewrite(acme.accountId)).toBe(true);
    expect(await marked(acme.accountId)).toEqual([]);
    expect(await current()).toEqual(rules);

    await setRules(ada, []);
    expect(await current()).toEqual(['none', 'none', 'none']);
    await rewrite(acme.accountId);
    expect(await current()).toEqual(['none', 'none', 'none']);
    expect(await itemsOf(acme.accountId, 'lead_created')).toEqual([]);
    expect(await itemsOf(acme.accountId, 'ROWS')).toEqual([]);
  });

  test('contains a default rule in each account while the user is a member', async () => {
    const grace = await member(acme);
    await setRules(grace, [{ event: 'lead_created', deliveryPref: ['email'] }]);
    const inGlobex = () => ruleIn(globex.accountId, 'lead_created', grace.user.id);
    expect(await inGlobex()).toBe('none');
    await joins(grace, globex);
    expect(await inGlobex()).toEqual({ from: 'default', channels: ['email'] });
    await rewrite(globex.accountId);
    expect(await inGlobex()).toEqual({ from: 'default', channels: ['email'] });

    await setRules(grace, [{ event: 'lead_created', deliveryPref: [] }]);
    expect(await marked(globex.accountId)).toEqual([grace.user.id]);
    expect(await inGlobex()).toEqual({ from: 'default', channels: [] });

    const params = { email: grace.user.email, accountId: globex.accountId };
    await grace.client.ok(leaveAccount, { params });
    expect(await inGlobex()).toBe('none');
    await rewrite(globex.accountId);
    expect(await itemsOf(globex.accountId, 'lead_created')).toEqual([]);
  });

  test('has no rows of a deleted user after the next rewrite', async () => {
    const leaver = await member(acme, [], {
      notificationPreferences: [{ event: 'mid_created', deliveryPref: ['email'] }],
    });
    await rewrite(acme.accountId);
    expect(await itemsOf(acme.accountId, 'mid_created')).toHaveLength(1);
    const params = { email: leaver.user.email, accountId: acme.accountId };
    await acme.admin.ok(removeUserFromAccount, { params });
    expect(await ruleIn(acme.accountId, 'mid_created', leaver.user.id)).toBe('none');
    await rewrite(acme.accountId);
    expect(await itemsOf(acme.accountId, 'mid_created')).toEqual([]);
  });

  test('is not marked for a rewrite if a user’s name or status changes', async () => {
    const one = await member(acme);
    await acme.admin.ok(updateUser, { params: { email: one.user.email }, body: { name: 'Another' } });
    await acme.admin.ok(updateUser, { params: { email: one.user.email }, body: { active: false } });
    expect(await marked(acme.accountId)).not.toContain(one.user.id);
  });

  test('is rewritten if a user adds more rules than fit into a transaction, and if the user removes them', async () => {
    const keen = await member(acme);
    const all = eventKinds.map((event) => ({ event, deliveryPref: ['website' as const] }));
    await setRules(keen, all);
    await rewrite(acme.accountId);
    const rows = async () => {
      const keys = eventKinds.map((kind) => subscriberKey(acme.accountId, kind, keen.user.id));
      return (await Promise.all(keys.map(getItem))).filter((row) => row !== undefined).length;
    };
    expect(await rows()).toBe(eventKinds.length);
    await setRules(keen, [{ event: 'lead_created', deliveryPref: ['sms'] }]);
    await rewrite(acme.accountId);
    expect(await rows()).toBe(1);
    expect(await ruleIn(acme.accountId, 'lead_created', keen.user.id)).toMatchObject({ channels: ['sms'] });
    expect(await marked(acme.accountId)).toEqual([]);
  });

  // With few kinds before, the first transaction adds rows. With many, it leaves rows that the last one deletes.
  test.each([20, 120])(
    'has a list with every existing row between the transactions of a rewrite of %i kinds',
    async (before) => {
      const keen = await member(acme);
      const website = { deliveryPref: ['website' as const] };
      const some = eventKinds.slice(0, before).map((event) => ({ event, ...website }));
      await setRules(keen, some);
      await rewrite(acme.accountId);
      const unlisted = async () => {
        const list = await getItem(subscriberKey(acme.accountId, 'ROWS', keen.user.id));
        const kinds = new Set((list?.kinds ?? []) as string[]);
        const rows = await Promise.all(
          eventKinds.map(async (kind) => ({
            kind,
            row: await getItem(subscriberKey(acme.accountId, kind, keen.user.id)),
          })),
        );
        return rows.filter(({ kind, row }) => row && !kinds.has(kind)).map(({ kind }) => kind);
      };
      await setRules(
        keen,
        eventKinds.slice(before).map((event) => ({ event, ...website })),
      );
      const between: string[][] = [];
      const stop = watchWire({
        done: async ({ operation }) => {
          if (operation === 'TransactWriteItems') between.push(await unlisted());
        },
      });
      await rewrite(acme.accountId);
      stop();
      expect(between.length).toBeGreaterThan(1);
      expect(between.flat()).toEqual([]);
    },
  );

  test('is not rewritten with outdated rules, and keeps the newer marker', async () => {
    const quick = await member(acme);
    await setRules(quick, [{ event: 'role_created', deliveryPref: ['email'] }]);
    const [first] = (await itemsOf(acme.accountId, 'CHANGED')).map((item) =>
      recordOf<SubscriberIndexMarker>(item),
    );
    expect(first?.id).toBe(quick.user.id);
    await setRules(quick, [{ event: 'role_created', deliveryPref: ['sms'] }]);
    if (first) await rewriteUserRows(acme.accountId, first, soon());
    expect(await marked(acme.accountId)).toEqual([quick.user.id]);
    const rows = await itemsOf(acme.accountId, 'role_created');
    expect(rows.filter(({ sk }) => Number(sk) === quick.user.id)).toEqual([]);
    await rewrite(acme.accountId);
    // A delayed rewrite with the older marker changes nothing.
    if (first) await rewriteUserRows(acme.accountId, first, soon());
    expect(await ruleIn(acme.accountId, 'role_created', quick.user.id)).toMatchObject({ channels: ['sms'] });
  });

  test('keeps the marker of a user whose rows cannot be written, and rewrites the rows of all other users', async () => {
    const account = 'acc_subscribers' as AccountId;
    // These are more users than are rewritten concurrently. They are rewritten in the order of their ids.
    const ids = Array.from({ length: 12 }, (_, n) => n + 1);
    const marks = ids.map((id) => ({
      ...subscriberKey(account, 'CHANGED', id),
      ...{ id, home: account, version: 1 },
    }));
    await putAll(marks);
    const failing = subscriberKey(account, 'CHANGED', 1).sk;
    const stop = watchWire({
      refuse: ({ operation, input }) =>
        operation === 'TransactWriteItems' && JSON.stringify(input).includes(`"${failing}"`)
          ? 'no'
          : undefined,
    });
    await expect(rewrite(account)).rejects.toThrow();
    stop();
    expect(await marked(account)).toEqual([1]);
    expect(await rewrite(account)).toBe(true);
    expect(await marked(account)).toEqual([]);
  });

  test('is read in pages, and each user is on exactly one page', async () => {
    const account = 'acc_parts' as AccountId;
    const made = Array.from({ length: 7 }, (_, n) => userIn(account, 1000 + n, `part${n}@example.com`));
    for (const user of made) await write(users.insert(user));
    const [rewritten] = await itemsOf(account, 'CHANGED');
    for (const { id } of made.slice(0, 4)) {
      const marker = await getItem(subscriberKey(account, 'CHANGED', id));
      if (marker) await rewriteUserRows(account, recordOf<SubscriberIndexMarker>(marker), soon());
    }
    expect(rewritten).toBeDefined();
    const parts: number[][] = [];
    let after: number | undefined = 0;
    while (after !== undefined) {
      const { rules, upTo }: Awaited<ReturnType<typeof readSubscribers>> = await readSubscribers({
        account,
        kind: 'lead_created',
        also: [1002, 999, 2000],
        after,
        most: 3,
      });
      parts.push([...rules.keys()]);
      after = upTo;
    }
    expect(parts).toEqual([
      [999, 1000, 1001],
      [1002, 1003, 1004],
      [1005, 1006, 2000],
    ]);
  });
});

test('the list of administrators is always current, for each way to become an administrator', async () => {
  const listed = async (of: { accountId: AccountId }) =>
    (await itemsOf(of.accountId, 'ADMINISTRATORS')).map(({ sk }) => Number(sk));
  const [first, ...others] = await listed(acme);
  expect(first).toBeDefined();
  expect(others).toEqual([]);
  const rose = await member(acme);
  const params = { email: rose.user.email };
  await acme.admin.ok(updateUser, { params, body: { accountAdmin: true } });
  expect(await listed(acme)).toEqual([first, rose.user.id]);
  await joins(rose, globex, { accountAdmin: true });
  expect(await listed(globex)).toContain(rose.user.id);
  await acme.admin.ok(updateUser, { params, body: { accountAdmin: false } });
  expect(await listed(acme)).toEqual([first]);
  await rose.client.ok(leaveAccount, { params: { ...params, accountId: globex.accountId } });
  expect(await listed(globex)).not.toContain(rose.user.id);
});

const write = (writes: Parameters<typeof commit>[0]['writes']) =>
  commit({ writes, events: [], deadline: soon() });
const author = authoredBy('ada@example.com', new Date());
const userIn = (account: AccountId, id: number, email: string): StoredUser => ({
  ...newUser(email, { account, ...author }),
  notificationPreferences: [{ event: 'lead_created', deliveryPref: ['website'] }],
  id,
});

test('any order of changes and rewrites gives an index that matches the records of the users', async () => {
  const accounts = ['acc_one', 'acc_two'] as AccountId[];
  const kinds = ['lead_created', 'team_created'] as const;
  const rule = fc.record({
    event: fc.constantFrom(...kinds),
    accountId: fc.constantFrom(undefined, ...accounts),
    deliveryPref: fc.uniqueArray(fc.constantFrom(...channelNames), { maxLength: 2 }),
  });
  const rules = fc.uniqueArray(rule, {
    selector: ({ event, accountId }) => `${event} ${accountId}`,
    maxLength: 4,
  });
  const step = fc.oneof(
    fc.record({ set: rules }),
    fc.record({ belongsTo: fc.subarray(accounts) }),
    fc.record({ rewrite: fc.constantFrom(...accounts) }),
    fc.record({ rewriteLate: fc.constantFrom(...accounts) }),
  );
  let made = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      made += 1;
      const [home] = accounts;
      if (!home) throw new Error('unreachable');
      let user = userIn(home, 5000 + made, `model${made}@example.com`);
      await write(users.insert(user));
      const late = new Map<AccountId, SubscriberIndexMarker>();
      const changeTo = async (revision: Partial<StoredUser>) => {
        const after = revise(user, revision, author);
        if (after !== user) await write(users.replace(user, after));
        user = after;
      };
      for (const one of steps) {
        if ('set' in one) await changeTo({ notificationPreferences: one.set });
        if ('belongsTo' in one) await changeTo({ accountIds: one.belongsTo });
        if ('rewrite' in one) await rewriteSubscriberIndex(one.rewrite, soon());
        const hung = 'rewriteLate' in one ? late.get(one.rewriteLate) : undefined;
        if (hung && 'rewriteLate' in one) await rewriteUserRows(one.rewriteLate, hung, soon());
        for (const account of accounts) {
          const marker = await getItem(subscriberKey(account, 'CHANGED', user.id));
          if (marker && !late.has(account)) late.set(account, recordOf<SubscriberIndexMarker>(marker));
          for (const kind of kinds)
            expect(await ruleIn(account, kind, user.id)).toEqual(ownRules(user, account).get(kind) ?? 'none');
        }
      }
    }),
    { numRuns: 6 },
  );
});
