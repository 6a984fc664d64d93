import { expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import setNotificationPreferences from '../../functions/users/set-notification-preferences.ts';
import { entryItem } from '../../shared/backlogs/entry.ts';
import { findEntry } from '../../shared/backlogs/list-entries.ts';
import { findEvent } from '../../shared/events/find-event.ts';
import { entryName } from '../../shared/notifications/entry-name.ts';
import { explain } from '../../shared/notifications/explain.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { memberByEmail } from '../../shared/users/find-member.ts';
import type { NotificationPreference } from '../../shared/users/notification-preferences.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { type Member, member } from '../harness/member.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();

const setRules = ({ user, client }: Member, body: NotificationPreference[]) =>
  client.ok(setNotificationPreferences, { params: { email: user.email }, body });

/** A lead's creation, as everybody was told of it; the id of the event. */
async function toldLead(): Promise<number> {
  await acme.key.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
  await drain();
  const events = await storedEvents(acme.accountId);
  return Number(events.filter(({ kind }) => kind === 'lead_created').at(-1)?.id);
}

/** Why a member heard of an event of the account. */
async function explained({ user: { email } }: Member, id: number) {
  const { user } = await memberByEmail(acme.accountId, email);
  const event = await findEvent(acme.accountId, id);
  if (!event) throw new Error('There is no such event');
  return explain(event, user, clock.now());
}

const anew = (channel: string, reason: string, outcome = 'left_out') => ({
  channel,
  outcome,
  reason,
  at: null,
  basis: 'decided_anew',
});

test('what is on record is told from it, with its time, and what left none is decided anew and says so', async () => {
  const ada = await member(acme, ['readLeads', 'readNotifications']);
  await setRules(ada, [{ event: 'lead_created', deliveryPref: ['website', 'email', 'sms'] }]);
  const id = await toldLead();
  const told = await explained(ada, id);
  const record = { basis: 'record', reason: 'own_rule', at: expect.stringMatching(/^\d{4}-/) };
  expect(told).toEqual({
    eventId: id,
    user: ada.user.email,
    decidedBy: 'default',
    channels: [
      { channel: 'website', outcome: 'sent', ...record },
      anew('weekly_email_digest', 'not_chosen'),
      anew('monthly_email_digest', 'not_chosen'),
      { channel: 'email', outcome: expect.stringMatching(/^(waiting|sent)$/), ...record },
      anew('sms', 'no_phone'),
    ],
  });
  // The record stays what it was when the rule goes.
  await setRules(ada, [{ event: 'lead_created', accountId: acme.accountId, deliveryPref: [] }]);
  const later = await explained(ada, id);
  expect(later.decidedBy).toBe('account');
  expect(later.channels[0]).toMatchObject({ outcome: 'sent', reason: 'rule_changed', basis: 'record' });
  expect(later.channels[3]).toEqual(told.channels[3]);
  expect(later.channels[4]).toEqual(anew('sms', 'empty_preference'));
});

test('mail that was not delivered says why, from the closed list', async () => {
  const ada = await member(acme, ['readLeads']);
  await setRules(ada, [{ event: 'lead_created', deliveryPref: ['email'] }]);
  const id = await toldLead();
  const backlog = { account: acme.accountId, name: 'MAIL' } as const;
  const name = entryName(id, ada.user.id);
  const entry = await findEntry(backlog, name, clock.now());
  if (!entry) throw new Error('No mail waits');
  const at = '2026-03-01T10:00:00.000Z';
  const mailOf = async () => (await explained(ada, id)).channels[3];
  for (const [said, reason] of [
    ['too_late', 'too_late'],
    ['a word of nobody’s list', 'refused'],
  ]) {
    const attempts = [{ number: 1, at, error: said }];
    await putAll([entryItem(backlog, { ...entry, status: 'failed', due: undefined, attempts })]);
    expect(await mailOf()).toEqual({
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
  const id = await toldLead();
  const command = operatorsCommand('notification-explain');
  const of = ['--account', acme.accountId, '--event', String(id), '--stage', 'local'];
  const { code, stdout, stderr } = await command(...of, '--user', ada.user.email);
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toEqual(await explained(ada, id));
  expect(await command(...of, '--user', 'nobody@example.com')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The account has no member nobody@example.com.\n',
  });
});
