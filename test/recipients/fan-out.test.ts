import { afterEach, describe, expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import createRole from '../../functions/roles/create-role.ts';
import updateRole from '../../functions/roles/update-role.ts';
import createTeam from '../../functions/teams/create-team.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import setNotificationPreferences from '../../functions/users/set-notification-preferences.ts';
import setUserRoles from '../../functions/users/set-user-roles.ts';
import updateUser from '../../functions/users/update-user.ts';
import { channelNames } from '../../shared/channels/terms.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { isEvent } from '../../shared/events/read-event.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { type FanOut, fanOut, maxInlineCandidates } from '../../shared/messaging/recipients/fan-out.ts';
import { rewriteSubscriberIndex } from '../../shared/messaging/subscriber-index/rewrite-subscriber-index.ts';
import type { NotificationPreference } from '../../shared/people/users/notification-preferences.ts';
import { recordOf } from '../../shared/table/item.ts';
import { measure } from '../costs/meter.ts';
import { crowd } from '../harness/crowd.ts';
import { members } from '../harness/heavy.ts';
import { type Member, member } from '../harness/member.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { runAs } from '../harness/wire.ts';

const acme = await tenant();
const run = () => ({ now: new Date(), deadline: Date.now() + 60_000 });
const asConsumer = <T>(work: () => Promise<T>): Promise<T> =>
  runAs({ functionName: 'events-notifications' }, work);

/** Channels that record each notification as `user channel`, and fail for users in `refused`. */
const notified: string[] = [];
const opened: string[] = [];
const refused = new Set<number>();
const handOver = (channel: string): FanOut['channels']['website'] => {
  return async ({ userId }) => {
    if (refused.has(userId)) throw new Error(`${userId} is refused`);
    notified.push(`${userId} ${channel}`);
  };
};
const out: FanOut = {
  channels: Object.fromEntries(channelNames.map((name) => [name, handOver(name)])) as FanOut['channels'],
  openFanOutJob: async ({ id }) => void opened.push(`recipients of ${id}`),
  openRewriteJob: async ({ accountId }) => void opened.push(`rows of ${accountId}`),
};
afterEach(() => refused.clear());

async function newest(kind: Event['kind'], account: AccountId = acme.accountId): Promise<Event> {
  const found = (await storedEvents(account)).filter((item) => item.kind === kind).map(recordOf<unknown>);
  const event = found.at(-1);
  if (!isEvent(event)) throw new Error(`No ${kind} was logged`);
  return event;
}
/** Runs the fan-out of the newest event of a kind. Returns the notified recipients. */
async function notifiedOf(kind: Event['kind'], account?: AccountId): Promise<string[]> {
  notified.splice(0);
  opened.splice(0);
  await asConsumer(async () => fanOut(await newest(kind, account), out, run()));
  return [...notified].sort();
}
const setRules = ({ user, client }: Member, body: NotificationPreference[]) =>
  client.ok(setNotificationPreferences, { params: { email: user.email }, body });

describe('the fan-out of an event', () => {
  test('uses the current membership and roles, even if the index rows are outdated', async () => {
    const rose = await member(acme, ['readNotifications']);
    await setRules(rose, [{ event: 'team_created', deliveryPref: ['website'] }]);
    await rewriteSubscriberIndex(acme.accountId, Date.now() + 60_000);
    await acme.admin.ok(createTeam, { body: { name: 'North' } });
    expect(await notifiedOf('team_created')).toEqual([]);
    const params = { email: rose.user.email };
    const role = await acme.admin.ok(createRole, {
      body: { name: 'Reader', flatPermissionsList: ['readTeams'] },
    });
    await acme.admin.ok(setUserRoles, { params, body: { roles: ['Reader'] } });
    expect(await notifiedOf('team_created')).toEqual([`${rose.user.id} website`]);
    await acme.admin.ok(updateRole, { params: { id: role.id }, body: { flatPermissionsList: [] } });
    expect(await notifiedOf('team_created')).toEqual([]);
    await acme.admin.ok(updateRole, {
      params: { id: role.id },
      body: { flatPermissionsList: ['readTeams'] },
    });
    await acme.admin.ok(updateUser, { params, body: { active: false } });
    expect(await notifiedOf('team_created')).toEqual([]);
    await acme.admin.ok(updateUser, { params, body: { active: true } });
    expect(await notifiedOf('team_created')).toEqual([`${rose.user.id} website`]);
  });

  test('does not notify invited users, even if they will become administrators', async () => {
    const [home, other] = [await tenant(), await tenant()];
    const guest = await member(home, [], {
      notificationPreferences: [{ event: 'team_created', deliveryPref: ['email'] }],
    });
    await other.admin.ok(addUserToAccount, {
      params: { email: guest.user.email },
      body: { accountAdmin: true },
    });
    await other.admin.ok(createTeam, { body: { name: 'South' } });
    expect(await notifiedOf('team_created', other.accountId)).toEqual([]);
    const quota = { ...(await newest('team_created', other.accountId)), kind: 'quota_exceeded' } as Event;
    notified.splice(0);
    const byKey = { ...quota, actor: { user: 'mo_key_1', apiKey: 'mo_key_1' } };
    await asConsumer(() => fanOut(byKey, out, run()));
    expect(notified).toHaveLength(1);
    expect(notified.join()).not.toContain(String(guest.user.id));
  });

  test('sends the password mail of a user without an account to the email address in the event', async () => {
    const event = {
      ...(await newest('user_created')),
      kind: 'user_password_reset_requested',
      accountId: 'user_77',
      actor: { user: 'lonely@example.com', apiKey: null },
      subject: { type: 'user', id: 77 },
      data: {},
    } as Event;
    const addressees: unknown[] = [];
    const email: FanOut['channels']['email'] = async (addressee) => void addressees.push(addressee);
    await asConsumer(() => fanOut(event, { ...out, channels: { ...out.channels, email } }, run()));
    expect(addressees).toEqual([{ userId: 77, email: 'lonely@example.com', reason: 'user_concerned' }]);
  });

  test('notifies the other recipients if one notification fails, and then throws', async () => {
    const [one, two] = [await member(acme, ['readLeads']), await member(acme, ['readLeads'])];
    for (const who of [one, two]) await setRules(who, [{ event: 'lead_created', deliveryPref: ['email'] }]);
    await acme.admin.ok(createLead, {
      query: { skipTeamAndSourceRequirement: true },
      body: { firstName: 'Ada', lastName: 'Byron' },
    });
    refused.add(one.user.id);
    await expect(notifiedOf('lead_created')).rejects.toThrow('is refused');
    expect(notified).toEqual([`${two.user.id} email`]);
    refused.clear();
    expect(await notifiedOf('lead_created')).toEqual([`${one.user.id} email`, `${two.user.id} email`].sort());
    for (const who of [one, two]) await setRules(who, []);
    await rewriteSubscriberIndex(acme.accountId, Date.now() + 60_000);
  });
});

/**
 * Creates an account with members and returns an event in it. The first `withRule` members have a rule for new leads.
 */
async function crowdedAccount(account: AccountId, members: number, withRule: number): Promise<Event> {
  await crowd(account, members, withRule);
  return {
    ...(await newest('lead_created')),
    accountId: account,
    subject: { type: 'lead', id: 5 },
  };
}

test(`if ten of ${members} members have a rule, the fan-out reads only these ten, with at most 40 read units`, async () => {
  const account = 'acc_ten' as AccountId;
  const event = await crowdedAccount(account, members, 10);
  notified.splice(0);
  const { read, write, exchanges } = await measure(() => asConsumer(() => fanOut(event, out, run())));
  expect(notified.map((one) => Number.parseInt(one, 10)).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 10 }, (_, n) => n + 1),
  );
  expect(write).toBe(0);
  expect(read).toBeLessThanOrEqual(40);
  expect(exchanges).toHaveLength(3);
});

test('as many recipients as the inline limit are notified without a job', async () => {
  const event = await crowdedAccount('acc_just' as AccountId, maxInlineCandidates, maxInlineCandidates);
  notified.splice(0);
  opened.splice(0);
  await asConsumer(() => fanOut(event, out, run()));
  expect([notified.length, opened]).toEqual([maxInlineCandidates, []]);
});
