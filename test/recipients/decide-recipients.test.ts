import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChannelName } from '../../shared/channels/channels.ts';
import { channelNames } from '../../shared/channels/terms.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { type Candidate, decideRecipients } from '../../shared/messaging/recipients/decide-recipients.ts';
import { type ServiceRule, serviceRulesOf } from '../../shared/messaging/recipients/service-rules.ts';
import type { OwnRule } from '../../shared/people/users/own-rules.ts';
import { allPermissions, eventKindGroups, eventKinds } from '../../shared/resources/derived.ts';
import type { EventKind, Permission } from '../../shared/resources/registry.ts';

const ada = { userId: 7, email: 'ada@example.com' };

const eventOf = (kind: EventKind, more: Partial<Record<keyof Event, unknown>> = {}): Event =>
  ({
    id: 1,
    kind,
    version: 1,
    accountId: 'acme',
    actor: { user: 'grace@example.com', apiKey: null },
    subject: { type: 'lead', id: 5, assignedTo: String(ada.userId) },
    data: {},
    request: { method: 'PATCH', path: '/leads/5', headers: {}, ipAddress: '203.0.113.7' },
    occurredAt: '2026-03-01T09:30:00.000Z',
    ...more,
  }) as Event;

const memberOf = (more: Partial<Candidate> = {}): Candidate => ({
  ...ada,
  phone: '+1 (415) 555-0134',
  status: 'active',
  administrator: false,
  permissions: new Set<Permission>(['readLeads', 'readNotifications']),
  ...more,
});

/** Returns the reason of the decision for each channel, with a leading ! if the notification is sent. */
function decided(event: Event, member: Candidate): Record<string, string> {
  const [decision] = decideRecipients(event, [member], new Map());
  return Object.fromEntries(
    (decision?.channels ?? []).map(({ channel, outcome, reason }) => [
      channel,
      outcome === 'sent' ? `!${reason}` : reason,
    ]),
  );
}
const reached = (event: Event, member: Candidate): string[] =>
  Object.entries(decided(event, member)).flatMap(([channel, reason]) =>
    reason.startsWith('!') ? [channel] : [],
  );

const another = (channel: ChannelName): ChannelName => (channel === 'email' ? 'website' : 'email');
/**
 * The user’s own rule in each case: from the account’s or the default preferences, with the tested channel,
 * another channel or no channel.
 */
const levels: Record<string, (channel: ChannelName) => OwnRule | undefined> = {
  'the account rule': (channel) => ({ from: 'account', channels: [channel] }),
  'the account rule for another channel': (channel) => ({ from: 'account', channels: [another(channel)] }),
  'an empty account rule': () => ({ from: 'account', channels: [] }),
  'the default rule': (channel) => ({ from: 'default', channels: [channel] }),
  'the default rule for another channel': (channel) => ({ from: 'default', channels: [another(channel)] }),
  'an empty default rule': () => ({ from: 'default', channels: [] }),
  'no rule, the user’s own lead': () => undefined,
  'no rule, another user’s lead': () => undefined,
};
const cells = Object.keys(levels).flatMap((level) =>
  channelNames.flatMap((channel) =>
    [true, false].flatMap((acts) =>
      [true, false].flatMap((allowed) =>
        [true, false].map((active) => ({
          level,
          channel,
          acts,
          allowed,
          active,
          who: acts ? 'the actor' : 'not the actor',
          may: allowed ? 'with read permission' : 'without read permission',
          is: active ? 'active' : 'inactive',
        })),
      ),
    ),
  ),
);

describe('the decision for each rule level, channel, actor, permission and status', () => {
  test.each(cells)('$level, $channel, $who, $may, $is', ({ level, channel, acts, allowed, active }) => {
    const rule = levels[level]?.(channel);
    const theirs = !level.endsWith('another user’s lead');
    const event = eventOf('lead_updated', {
      ...(acts && { actor: { user: ada.email, apiKey: null } }),
      subject: { type: 'lead', id: 5, assignedTo: theirs ? '7' : '8' },
    });
    const member = memberOf({
      rule,
      status: active ? 'active' : 'inactive',
      ...(!allowed && { permissions: new Set<Permission>(['readNotifications']) }),
    });
    // Computes the expected decision from the documented rules, independently of the code.
    const byService = theirs && channel === 'website';
    const chosen = rule ? rule.channels.includes(channel) : byService && !acts;
    expect(reached(event, member).includes(channel)).toBe(chosen && allowed && active);

    const why = decided(event, member)[channel];
    if (!active) expect(why).toBe('inactive');
    else if (rule?.channels.length === 0) expect(why).toBe('empty_preference');
    else if (rule && !chosen) expect(why).toBe('not_chosen');
    else if (!rule && !byService) expect(why).toBe('no_rule');
    else if (!rule && acts) expect(why).toBe('actor');
    else if (!allowed) expect(why).toBe('may_not_read');
    else expect(why).toBe(rule ? '!own_rule' : '!assignee');
    const [decision] = decideRecipients(event, [member], new Map());
    expect(decision?.decidedBy).toBe(rule?.from ?? (theirs ? 'service' : 'none'));
  });
});

test('the service never overrides an empty preference, except for mails about the user’s own password and factors', () => {
  const kinds = eventKinds.filter((kind) => serviceRulesOf(kind).every(({ to }) => to !== 'user_concerned'));
  fc.assert(
    fc.property(
      fc.constantFrom(...kinds),
      fc.constantFrom('account', 'default'),
      fc.boolean(),
      fc.constantFrom({}, { unassigned: true }, { changes: { active: { from: true, to: false } } }),
      (kind, from, administrator, data) => {
        const event = eventOf(kind, { data, actor: { user: 'system', apiKey: null } });
        expect(reached(event, memberOf({ administrator, rule: { from, channels: [] } }))).toEqual([]);
      },
    ),
  );
});

test('users without read permission, inactive users and non-members are not notified', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...eventKinds),
      fc.constantFrom('lead', 'ticket', 'account', 'user'),
      fc.uniqueArray(fc.constantFrom(...channelNames)),
      fc.constantFrom('active', 'inactive', 'not_member'),
      (kind, type, chosen, status) => {
        const event = eventOf(kind, { subject: { type, id: 99, assignedTo: '7' } });
        const permissions: ReadonlySet<Permission> =
          status === 'active' ? new Set() : new Set(['readLeads', 'readTickets', 'readUsers']);
        const rule: OwnRule = { from: 'default', channels: chosen };
        expect(reached(event, memberOf({ status, permissions, rule }))).toEqual([]);
      },
    ),
  );
});

test('events about the user require no permission, and events about internal comments require readInternalComments', () => {
  const rule: OwnRule = { from: 'default', channels: ['email'] };
  const about = (id: number) => eventOf('user_updated', { subject: { type: 'user', id } });
  expect(reached(about(ada.userId), memberOf({ rule }))).toEqual(['email']);
  expect(reached(about(8), memberOf({ rule }))).toEqual([]);

  const comment = (visibility: string) =>
    eventOf('ticket_comment_added', { subject: { type: 'ticket', id: 1 }, data: { visibility } });
  const reader = (...more: Permission[]) =>
    memberOf({ rule, permissions: new Set(['readTickets', ...more]) });
  expect(reached(comment('public'), reader())).toEqual(['email']);
  expect(decided(comment('internal'), reader()).email).toBe('may_not_read');
  expect(reached(comment('internal'), reader('readInternalComments'))).toEqual(['email']);
});

test('the website channel needs readNotifications, and sms needs a phone number', () => {
  const rule: OwnRule = { from: 'account', channels: channelNames };
  const event = eventOf('lead_created');
  expect(reached(event, memberOf({ rule }))).toEqual(channelNames);
  const permissions = new Set<Permission>(['readLeads']);
  expect(decided(event, memberOf({ rule, permissions })).website).toBe('may_not_read_notifications');
  expect(reached(event, memberOf({ rule, permissions }))).toEqual(channelNames.slice(1));
  expect(decided(event, memberOf({ rule, phone: undefined })).sms).toBe('no_phone');
});

test('users are notified of the actions of their API keys', () => {
  const key = eventOf('lead_updated', { actor: { user: ada.email, apiKey: 'mo_key_acme_1' } });
  expect(decided(key, memberOf()).website).toBe('!assignee');
});

test('users are notified of actions that an administrator takes as them, and the administrator is not', () => {
  const by = 'admin@example.com';
  const acted = eventOf('lead_updated', { actor: { user: ada.email, apiKey: null, impersonatedBy: by } });
  expect(decided(acted, memberOf()).website).toBe('!assignee');
  expect(decided(acted, memberOf({ email: by })).website).toBe('actor');
});

test('an assignment notifies the new assignee', () => {
  const before = memberOf({ userId: 6, email: 'before@example.com' });
  const assigned = [
    eventOf('lead_assigned', {
      subject: { type: 'lead', id: 5, assignedTo: '7' },
      data: { from: '6', to: '7' },
    }),
    eventOf('lead_assigned', { subject: { type: 'lead', id: 5 }, data: { from: '6', to: '7' } }),
    eventOf('ticket_assigned', { subject: { type: 'lead', id: 5 }, data: { assignedTo: '7' } }),
  ];
  for (const event of assigned) {
    expect(reached(event, memberOf())).toEqual(['website']);
    expect(reached(event, before)).toEqual([]);
  }
  const taken = eventOf('lead_assigned', { subject: { type: 'lead', id: 5 }, data: { from: '6' } });
  for (const one of [memberOf(), before]) expect(reached(taken, one)).toEqual([]);
});

test('administrators are notified of unassigned records, exceeded quotas and webhooks that the service disabled', () => {
  const administrator = memberOf({ administrator: true, permissions: new Set(allPermissions) });
  const of = (kind: EventKind, data: object, user = 'grace@example.com') =>
    eventOf(kind, { subject: { type: 'account', id: 'acme' }, data, actor: { user, apiKey: null } });
  const unassigned = of('ticket_created', { changes: {}, unassigned: true });
  expect(reached(unassigned, administrator)).toEqual(['website']);
  expect(reached(unassigned, memberOf())).toEqual([]);
  expect(reached(of('ticket_created', { changes: {} }), administrator)).toEqual([]);
  for (const kind of [
    'quota_exceeded',
    'system_error',
    'partner_integration_error',
    'webhook_delivery_failed',
  ] as const)
    expect(reached(of(kind, {}), administrator)).toEqual(['website']);
  expect(reached(of('quota_exceeded', {}, ada.email), administrator)).toEqual([]);
  const off = { changes: { active: { from: true, to: false } } };
  expect(reached(of('webhook_updated', off, 'system'), administrator)).toEqual(['website', 'email']);
  expect(reached(of('webhook_updated', off), administrator)).toEqual([]);
  expect(reached(of('webhook_updated', { changes: { url: {} } }, 'system'), administrator)).toEqual([]);
  const lost = { domain: 'pay.example.com', reason: 'taken_over' };
  expect(reached(of('vanity_domain_deleted', lost, 'system'), administrator)).toEqual(['website', 'email']);
  expect(reached(of('vanity_domain_deleted', { domain: 'pay.example.com' }), administrator)).toEqual([]);
});

test('a mail about a user’s own password is sent regardless of rules, status and actor', () => {
  for (const kind of [
    'user_password_changed',
    'admin_force_set_password',
    'user_password_reset_requested',
  ] as const) {
    const about = (id: number) =>
      eventOf(kind, { subject: { type: 'user', id }, actor: { user: ada.email, apiKey: null } });
    for (const status of ['active', 'inactive', 'not_member'] as const)
      for (const rule of [undefined, { from: 'account', channels: [] } as const]) {
        const member = memberOf({ status, rule, permissions: new Set() });
        expect(reached(about(ada.userId), member)).toEqual(['email']);
        expect(reached(about(8), member)).toEqual([]);
      }
    // The user’s own rule still applies to the other channels.
    const rule: OwnRule = { from: 'default', channels: ['website'] };
    expect(decided(about(ada.userId), memberOf({ rule }))).toMatchObject({
      website: '!own_rule',
      email: '!user_concerned',
    });
  }
});

test('a mail about a user’s own second factors is sent regardless of rules and actor', () => {
  for (const [resource, happening] of [
    ['factor', 'factor_added'],
    ['factor', 'factor_codes_rejected'],
    ['recovery_codes', 'recovery_codes_renewed'],
    ['invoice', 'invoice_voided'],
  ]) {
    const detail = { userId: ada.userId, email: ada.email };
    const event = eventOf('no_event_name', {
      data: { resource, happening, detail },
      actor: { user: ada.email, apiKey: null },
    });
    const member = memberOf({ rule: { from: 'account', channels: [] } });
    expect(reached(event, member)).toEqual(resource === 'invoice' ? [] : ['email']);
  }
});

test('default rules exist for leads, tickets, invitations, mails about passwords, second factors and impersonations, and errors only', () => {
  const to = (kind: EventKind) => serviceRulesOf(kind).map((rule) => rule.to);
  const kindsFor = (role: ServiceRule['to']) => eventKinds.filter((kind) => to(kind).includes(role));
  expect(kindsFor('assignee')).toEqual([
    ...(eventKindGroups.Leads ?? []),
    ...(eventKindGroups.Tickets ?? []),
  ]);
  expect(kindsFor('user_concerned')).toEqual([
    'user_created',
    'user_updated',
    'user_password_changed',
    'user_password_reset_requested',
    'admin_force_set_password',
    'user_impersonated',
    'user_added_to_account',
    'no_event_name',
  ]);
  expect(kindsFor('administrator')).toEqual([
    'lead_created',
    'system_error',
    'quota_exceeded',
    'webhook_updated',
    'webhook_delivery_failed',
    'partner_integration_error',
    'vanity_domain_deleted',
    'ticket_created',
  ]);
});

test('every candidate gets an outcome for every channel, in the given order', () => {
  const members = [memberOf(), memberOf({ userId: 8, status: 'not_member', email: undefined })];
  const decisions = decideRecipients(eventOf('lead_updated'), members, new Map());
  expect(decisions.map(({ userId }) => userId)).toEqual([7, 8]);
  for (const decision of decisions)
    expect(decision.channels.map(({ channel }) => channel)).toEqual(channelNames);
});
