import { describe, expect, test } from 'vitest';
import explainEvent from '../../functions/events/explain-event.ts';
import createLead from '../../functions/leads/create-lead.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import setNotificationPreferences from '../../functions/users/set-notification-preferences.ts';
import updateUser from '../../functions/users/update-user.ts';
import type { ChannelName } from '../../shared/channels/channels.ts';
import { mailHappened } from '../../shared/correspondence/mails/events.ts';
import { findEvent } from '../../shared/events/find-event.ts';
import type { OutgoingMessage } from '../../shared/messaging/messages/hand-over.ts';
import type { explainedReasons } from '../../shared/messaging/notification-explanations/explain.ts';
import type { NotificationPreference } from '../../shared/people/users/notification-preferences.ts';
import type { LeadInput } from '../../shared/sales/leads/schema.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { type Attempt, newWorkItem, workItemId, workItemRecord } from '../../shared/work-queue/work-item.ts';
import { incomingMail } from '../correspondence/planted-mails.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { type Member, member } from '../harness/member.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { type Client, tenant } from '../harness/tenant.ts';
import { happens } from '../webhooks/subscribed.ts';

type Reason = (typeof explainedReasons)[number];

const [acme, other] = [await tenant(), await tenant()];

const setRules = ({ user, client }: Member, body: NotificationPreference[]) =>
  client.ok(setNotificationPreferences, { params: { email: user.email }, body });
const hears = (...deliveryPref: ChannelName[]) => ({
  notificationPreferences: [{ event: 'lead_created' as const, deliveryPref }],
});

/** Creates a lead without processing notifications. Returns the id of the event. */
async function newLead(by: Client = acme.key, more: Partial<LeadInput> = {}): Promise<number> {
  const query = { skipTeamAndSourceRequirement: true };
  await by.ok(createLead, { query, body: { firstName: 'Ada', lastName: 'Byron', ...more } });
  const events = await storedEvents(acme.accountId);
  return Number(events.filter(({ kind }) => kind === 'lead_created').at(-1)?.id);
}
async function leadWithNotifications(): Promise<number> {
  const id = await newLead(acme.key);
  await drain();
  return id;
}

/** The explanation of an event for a member, requested by an administrator. */
const explained = (user: string, id: number) =>
  acme.admin.ok(explainEvent, { params: { id }, query: { user } });
const channelOf = async (user: string, id: number, channel: ChannelName) =>
  (await explained(user, id)).channels.find((one) => one.channel === channel);

const decidedAnew = (channel: ChannelName, reason: Reason, outcome = 'left_out') => ({
  channel,
  outcome,
  reason,
  at: null,
  basis: 'decided_anew',
});
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe('permissions', () => {
  test('users may request explanations about themselves, and administrators about all members', async () => {
    const [ada, bea] = [await member(acme), await member(acme)];
    const id = await newLead();
    const asked = async (by: Client, user?: string) => {
      const { status, body } = await by.call(explainEvent, { params: { id }, query: { user } });
      return status === 200 ? body.user : `${status} ${body.error}`;
    };
    expect(await asked(ada.client)).toBe(ada.user.email);
    expect(await asked(ada.client, ada.user.email.toUpperCase())).toBe(ada.user.email);
    expect(await asked(ada.client, bea.user.email)).toBe('403 administrator_only');
    expect(await asked(ada.client, 'nobody@example.com')).toBe('403 administrator_only');
    expect(await asked(acme.admin)).toBe(acme.adminEmail);
    expect(await asked(acme.admin, bea.user.email)).toBe(bea.user.email);
    for (const key of [acme.key, acme.directKey])
      for (const user of [undefined, ada.user.email])
        expect(await asked(key, user)).toBe('403 administrator_only');
  });

  test('events of other accounts, expired events and non-members are not found', async () => {
    const id = await newLead();
    const ada = await member(other);
    const statusOf = async (by: Client, sent: object) => (await by.call(explainEvent, sent)).status;
    expect(await statusOf(other.admin, { params: { id } })).toBe(404);
    expect(await statusOf(acme.admin, { params: { id: id + 1 } })).toBe(404);
    for (const user of [ada.user.email, 'nobody@example.com', 'no email'])
      expect(await statusOf(acme.admin, { params: { id }, query: { user } })).toBe(404);
    const later = new Date(clock.now().getTime() + 432 * 86_400_000);
    expect(await findEvent(acme.accountId, id, later)).toBeUndefined();
  });
});

test('the explanation of a channel comes from its record, or from the current rules if there is no record', async () => {
  const ada = await member(acme, ['readLeads', 'readNotifications']);
  await setRules(ada, [{ event: 'lead_created', deliveryPref: ['website', 'email', 'sms'] }]);
  const id = await leadWithNotifications();
  const explanation = await ada.client.ok(explainEvent, { params: { id } });
  const record = { basis: 'record', reason: 'own_rule', at: instant };
  expect(explanation).toEqual({
    eventId: id,
    user: ada.user.email,
    decidedBy: 'default',
    channels: [
      { channel: 'website', outcome: 'sent', ...record },
      decidedAnew('weekly_email_digest', 'not_chosen'),
      decidedAnew('monthly_email_digest', 'not_chosen'),
      { channel: 'email', outcome: expect.stringMatching(/^(waiting|sent)$/), ...record },
      decidedAnew('sms', 'no_phone'),
    ],
  });
  // The recorded outcome does not change when the user's rule is replaced.
  await setRules(ada, [{ event: 'lead_created', accountId: acme.accountId, deliveryPref: [] }]);
  const later = await explained(ada.user.email, id);
  expect(later.decidedBy).toBe('account');
  expect(later.channels[0]).toMatchObject({ outcome: 'sent', reason: 'rule_changed', basis: 'record' });
  expect(later.channels[3]).toEqual(explanation.channels[3]);
  expect(later.channels[4]).toEqual(decidedAnew('sms', 'empty_preference'));
});

interface Case {
  user: string;
  id: number;
  channel: ChannelName;
}
const of = async (
  channel: ChannelName,
  { user }: { user: { email: string } },
  id: number | Promise<number>,
): Promise<Case> => ({ user: user.email, id: await id, channel });

/** Creates a case for each reason that the current rules can give. */
const decidedNow = {
  own_rule: async () => of('email', await member(acme, ['readLeads'], hears('email')), newLead()),
  assignee: async () => {
    const ada = await member(acme, ['readLeads', 'readNotifications']);
    return of('website', ada, newLead(acme.key, { assignedTo: ada.user.email }));
  },
  administrator: async () => {
    const subject = { type: 'account', id: acme.accountId } as const;
    const draft = { kind: 'quota_exceeded', subject, data: { quota: '/teams' } } as const;
    const { id } = await happens(acme.accountId, clock.now(), draft);
    return of('website', { user: { email: acme.adminEmail } }, id);
  },
  user_concerned: async () => {
    const ada = await member(acme, [], { notificationPreferences: [] });
    const subject = { type: 'user', id: ada.user.id } as const;
    const draft = { kind: 'user_password_changed', subject, data: { by: 'password' } } as const;
    const { id } = await happens(acme.accountId, clock.now(), draft);
    return of('email', ada, id);
  },
  not_member: async () => {
    const invited = await member(other, ['readLeads'], hears('email'));
    await acme.admin.ok(addUserToAccount, { params: { email: invited.user.email }, body: {} });
    return of('email', invited, newLead());
  },
  inactive: async () => {
    const ada = await member(acme, ['readLeads'], hears('email'));
    await acme.admin.ok(updateUser, { params: { email: ada.user.email }, body: { active: false } });
    return of('email', ada, newLead());
  },
  no_rule: async () => of('email', await member(acme, ['readLeads']), newLead()),
  empty_preference: async () => of('email', await member(acme, ['readLeads'], hears()), newLead()),
  not_chosen: async () => of('email', await member(acme, ['readLeads'], hears('website')), newLead()),
  actor: async () => {
    const ada = await member(acme, ['readLeads', 'writeLeads', 'readNotifications']);
    return of('website', ada, newLead(ada.client, { assignedTo: ada.user.email }));
  },
  may_not_read: async () => of('email', await member(acme, [], hears('email')), newLead()),
  may_not_read_notifications: async () =>
    of('website', await member(acme, ['readLeads'], hears('website')), newLead()),
  could_loop: async () => {
    const events = {
      notificationPreferences: [{ event: 'no_event_name' as const, deliveryPref: ['email' as const] }],
    };
    const ada = await member(acme, ['readMails', 'readTickets'], events);
    const mail = incomingMail(acme, { state: 'report', recordType: 'ticket', recordId: '17' });
    const [draft] = mailHappened('mail_received', mail, {});
    const { id } = await happens(acme.accountId, clock.now(), draft ?? expect.fail());
    return of('email', ada, id);
  },
  no_phone: async () => of('sms', await member(acme, ['readLeads'], hears('sms')), newLead()),
} satisfies Partial<Record<Reason, () => Promise<Case>>>;
const sentReasons = ['own_rule', 'assignee', 'administrator', 'user_concerned'];

test.each(Object.entries(decidedNow) as [Reason, () => Promise<Case>][])(
  'the reason %s is returned before and after the event is processed',
  async (reason, happen) => {
    const { user, id, channel } = await happen();
    const isSent = sentReasons.includes(reason);
    expect(await channelOf(user, id, channel)).toEqual(
      decidedAnew(channel, reason, isSent ? 'sent' : 'left_out'),
    );
    await drain();
    expect(await channelOf(user, id, channel)).toEqual(
      isSent
        ? {
            channel,
            reason,
            outcome: expect.stringMatching(/^(waiting|sent)$/),
            at: instant,
            basis: 'record',
          }
        : decidedAnew(channel, reason),
    );
  },
);

/** The recorded attempt of an undelivered mail, by reason. */
const unsent = {
  no_address: { outcome: 'not_sent', reason: 'no_address' },
  too_late: { outcome: 'not_sent', reason: 'too_late' },
  over_limit: { outcome: 'not_sent', reason: 'over_limit' },
  refused: { outcome: 'refused', reason: 'MessageRejected' },
  unknown: { outcome: 'unknown', reason: 'TimeoutError' },
} satisfies Record<Exclude<Reason, keyof typeof decidedNow | 'rule_changed'>, object>;
const recordedReasons: [Reason, object][] = [
  ...(Object.entries(unsent) as [Reason, object][]),
  ...Object.keys(decidedNow)
    .filter((reason) => !sentReasons.includes(reason))
    .map((reason): [Reason, object] => [reason as Reason, { outcome: 'not_sent', reason }]),
];

test('an undelivered mail is explained by its record, independently of the current rules', async () => {
  const ada = await member(acme, ['readLeads'], hears('website'));
  const id = await newLead();
  const workQueue = { account: acme.accountId, name: 'MAIL' } as const;
  const [at, now] = ['2026-03-01T10:00:00.000Z', clock.now()];
  const content: OutgoingMessage = { eventId: id, userId: ada.user.id, reason: 'own_rule' };
  const expires = new Date(now.getTime() + 86_400_000);
  const workItem = newWorkItem({ id: workItemId(id, ada.user.id), due: now, content, expires }, now);
  for (const [reason, attempt] of recordedReasons) {
    const attempts: Attempt[] = [{ ...attempt, number: 1, at }];
    await putAll([workItemRecord(workQueue, { ...workItem, status: 'failed', due: undefined, attempts })]);
    expect(await channelOf(ada.user.email, id, 'email'), reason).toEqual({
      channel: 'email',
      outcome: 'not_delivered',
      reason,
      at,
      basis: 'record',
    });
  }
});

test('the command prints the explanation as JSON', async () => {
  const ada = await member(acme, ['readLeads']);
  const id = await leadWithNotifications();
  const command = operatorsCommand('notifications', 'explain');
  const given = ['--account', acme.accountId, '--event', String(id), '--stage', 'local'];
  const { code, stdout, stderr } = await command.asProcess(...given, '--user', ada.user.email);
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toEqual(await explained(ada.user.email, id));
  expect(await command.here(...given, '--user', 'nobody@example.com')).toEqual({
    code: 1,
    stdout: '',
    stderr: `No member nobody@example.com in account ${acme.accountId}.\n`,
  });
});
