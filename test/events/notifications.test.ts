import { describe, expect, test } from 'vitest';
import notifications from '../../events/consumers/notifications.ts';
import webhooks from '../../events/consumers/webhooks.ts';
import createLead from '../../functions/leads/create-lead.ts';
import createTeam from '../../functions/teams/create-team.ts';
import setNotificationPreferences from '../../functions/users/set-notification-preferences.ts';
import setUserPermissions from '../../functions/users/set-user-permissions.ts';
import type { Event } from '../../shared/events/envelope.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { mintId } from '../../shared/id/mint.ts';
import { inboxKey } from '../../shared/messaging/notifications/keys.ts';
import { maxInlineCandidates } from '../../shared/messaging/recipients/fan-out.ts';
import { subscriberPartition } from '../../shared/people/users/keys.ts';
import { recordOf } from '../../shared/table/item.ts';
import { queryItems } from '../../shared/table/read.ts';
import { workItemsOf } from '../../shared/work-queue/list-work-items.ts';
import { measure } from '../costs/meter.ts';
import { anEvent } from '../harness/an-event.ts';
import { clock } from '../harness/clock.ts';
import { crowd } from '../harness/crowd.ts';
import { deliver, drain, newStreamRecords, redeliveredBy } from '../harness/drain.ts';
import { joins, type Member, member } from '../harness/member.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { webhook } from '../webhooks/subscribed.ts';

const acme = await tenant();
const someLead = { firstName: 'Ada', lastName: 'Byron' };
const wants = ({ user, client }: Member, deliveryPref: ('website' | 'email' | 'sms')[]) =>
  client.ok(setNotificationPreferences, {
    params: { email: user.email },
    body: [{ event: 'lead_created' as const, deliveryPref }],
  });
/** Returns the ids of the events in a user's inbox. */
async function inInbox(account: AccountId, userId: number): Promise<number[]> {
  const items = await queryItems({ partition: inboxKey({ account, userId }).pk });
  return items.flatMap(({ sk }) => (sk.startsWith('EVENT#') ? [Number(sk.slice('EVENT#'.length))] : []));
}
const workItemsIn = async (account: AccountId, name: 'MAIL' | 'SMS' | 'JOBS') =>
  (await queryItems({ partition: `ACCOUNT#${account}#WORKQUEUE#${name}` })).filter(({ sk }) =>
    sk.startsWith('WORKITEM#'),
  ) as { content?: { eventId?: number } }[];
async function newestEvent(of: Tenant, kind: string): Promise<Event> {
  const found = (await storedEvents(of.accountId)).filter((item) => item.kind === kind).at(-1);
  return recordOf<Event>(found ?? expect.fail(`There is no ${kind}.`));
}

describe('the notifications consumer', () => {
  test('an event that is delivered several times causes one notification, one mail and one text message per subscriber', async () => {
    const ada = await member(acme, ['readLeads', 'readNotifications'], { phone: '+1 415 555 0134' });
    await wants(ada, ['website', 'email', 'sms']);
    await acme.admin.ok(createLead, { body: someLead });
    await drain();
    const event = await newestEvent(acme, 'lead_created');
    expect(await redeliveredBy(notifications)([event, event])).toEqual([]);
    expect(await inInbox(acme.accountId, ada.user.id)).toEqual([event.id]);
    for (const name of ['MAIL', 'SMS'] as const) {
      const workItems = await workItemsIn(acme.accountId, name);
      expect(
        workItems.map(({ content }) => content).filter((content) => content?.eventId === event.id),
      ).toEqual([{ eventId: event.id, userId: ada.user.id, email: ada.user.email, reason: 'own_rule' }]);
    }
    await wants(ada, []);
  });

  test('events with the same id in two accounts each cause one notification, mail and delivery in their own account', async () => {
    const both = [await tenant(), await tenant()] as const;
    const ada = await member(both[0], ['readLeads', 'readNotifications']);
    const { email } = ada.user;
    await joins(ada, both[1]);
    const body = { flatPermissionsList: ['readLeads', 'readNotifications'] };
    await both[1].admin.ok(setUserPermissions, { params: { email }, body });
    await wants(ada, ['website', 'email']);
    await drain();
    const now = clock.now();
    const made = both.map(({ accountId }) => webhook(accountId, 'http://127.0.0.1:9/', { now }));
    const id = mintId(clock.now());
    const occurredAt = clock.now().toISOString();
    const events = both.map(({ accountId }) => anEvent({ id, accountId, occurredAt }));
    const hooks = await Promise.all(made);
    for (const redelivered of [redeliveredBy(notifications), redeliveredBy(webhooks)])
      for (let times = 0; times < 2; times++) expect(await redelivered(events)).toEqual([]);
    for (const [n, { accountId }] of both.entries()) {
      expect(await inInbox(accountId, ada.user.id)).toEqual([id]);
      const mails = await workItemsIn(accountId, 'MAIL');
      expect(mails.filter(({ content }) => content?.eventId === id)).toHaveLength(1);
      const { items } = await workItemsOf(
        hooks[n]?.workQueue ?? { account: accountId, name: 'JOBS' },
        now,
      ).newest({});
      expect(items.map(({ content }) => content)).toEqual([expect.objectContaining({ eventId: id })]);
    }
    await wants(ada, []);
  });

  test('a subscriber index that is marked as changed is rewritten at the next event, and is then no longer marked', async () => {
    const grace = await member(acme, ['readLeads', 'readNotifications']);
    await wants(grace, ['website']);
    await drain();
    expect(await queryItems({ partition: subscriberPartition(acme.accountId, 'CHANGED') })).toEqual([]);
    const rows = await queryItems({ partition: subscriberPartition(acme.accountId, 'lead_created') });
    expect(rows).toContainEqual(expect.objectContaining({ from: 'default', channels: ['website'] }));
    await acme.admin.ok(createLead, { body: someLead });
    await drain();
    expect(await inInbox(acme.accountId, grace.user.id)).toHaveLength(1);
  });

  test('if an event has more recipients than the inline limit, a job notifies each of them once', async () => {
    const crowded = await tenant();
    const { accountId: account } = crowded;
    const ids = await crowd(account, maxInlineCandidates + 1);
    await crowded.admin.ok(createLead, { body: someLead });
    await drain();
    const event = await newestEvent(crowded, 'lead_created');
    const inboxes = await Promise.all(ids.map((id) => inInbox(account, id)));
    expect(inboxes).toEqual(ids.map(() => [event.id]));
  });

  test('an event without subscribers costs the notifications consumer two read units and no write units', async () => {
    const quiet = await tenant();
    await quiet.admin.ok(createTeam, { body: { name: 'North' } });
    const event = await newestEvent(quiet, 'team_created');
    const { read, write } = await measure(() => redeliveredBy(notifications)([event]));
    expect([read, write]).toEqual([2, 0]);
  });
});

test('an event without subscribers costs at most 6 read units and no write units in the relay and all consumers', async () => {
  const quiet = await tenant();
  await drain();
  await newStreamRecords();
  await quiet.admin.ok(createTeam, { body: { name: 'North' } });
  const records = await newStreamRecords();
  expect(records).toHaveLength(1);
  const { read, write, exchanges } = await measure(() => deliver(records, { alone: true }));
  expect(write).toBe(0);
  expect(read).toBeLessThanOrEqual(6);
  expect(read).toBeGreaterThan(0);
  const functions = exchanges.map(({ invocation }) => invocation?.functionName);
  expect(functions).toEqual(expect.arrayContaining(['events-notifications', 'events-webhooks']));
});
