import { describe, expect, test } from 'vitest';
import assignLead from '../../functions/leads/assign-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listNotifications from '../../functions/notifications/list-notifications.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import listWebhookDeliveries from '../../functions/webhooks/list-webhook-deliveries.ts';
import redeliverWebhookDelivery from '../../functions/webhooks/redeliver-webhook-delivery.ts';
import setWebhookEvents from '../../functions/webhooks/set-webhook-events.ts';
import updateWebhook from '../../functions/webhooks/update-webhook.ts';
import type { EventKind, Permission } from '../../shared/resources/registry.ts';
import { throttleOf } from '../harness/call-faults.ts';
import { drain } from '../harness/drain.ts';
import { member, provesAgain } from '../harness/member.ts';
import { behaviours, receiver } from '../harness/receiver.ts';
import { tenant } from '../harness/tenant.ts';
import { day, fault, hour, pass, preferring, to } from '../messages/world.ts';

const acme = await tenant();
const agent = await member(acme, ['readOwnLeads', 'readNotifications']);
const other = await member(acme, ['readLeads']);
const idOf = (one: { user: { id: number } }) => String(one.user.id);

const inbox = async () => {
  const { data } = await agent.client.ok(listNotifications);
  return data.map(({ event, notificationSubject }) => [event, notificationSubject]);
};

test('a user with a limited permission is notified of records that the user reaches', async () => {
  const lead = await acme.admin.ok(createLead, {
    body: { firstName: 'Ada', lastName: 'Byron', assignedTo: idOf(agent) },
  });
  await drain();
  const before = await inbox();
  expect(before).toContainEqual(['lead_created', expect.stringContaining('Ada Byron')]);

  await acme.admin.ok(assignLead, { params: { leadId: lead.id }, body: { assignedTo: idOf(other) } });
  await drain();
  expect((await inbox()).map(([, subject]) => subject)).toEqual(before.map(() => ''));
});

describe('mail', () => {
  const newLead = (firstName: string, one: { user: { id: number } }) =>
    acme.admin.ok(createLead, { body: { firstName, lastName: 'Byron', assignedTo: idOf(one) } });
  const giveAway = ({ id }: { id: number }) =>
    acme.admin.ok(assignLead, { params: { leadId: id }, body: { assignedTo: idOf(other) } });
  const reader = (channel: 'email' | 'weekly_email_digest') =>
    member(acme, ['readOwnLeads'], preferring([channel]));

  test('is not sent about a lead that left the reach of the user before the event was processed', async () => {
    const one = await reader('email');
    await newLead('Kept', one);
    await giveAway(await newLead('Lost', one));
    await drain();
    expect(to(one.user.email).map(({ subject }) => subject)).toEqual(['Lead created: Kept Byron']);
  });

  test('is not sent again about a lead that left the reach of the user after a failed attempt', async () => {
    const one = await reader('email');
    const [kept, lost] = [await newLead('Kept', one), await newLead('Lost', one)];
    expect(kept.assignedTo).toBe(lost.assignedTo);
    fault.of = ({ to: address }) => (address === one.user.email ? throttleOf('ses') : undefined);
    await drain();
    const attempts = to(one.user.email).length;
    expect(attempts).toBeGreaterThanOrEqual(2);
    fault.of = () => undefined;
    await giveAway(lost);
    await pass(hour);
    const later = to(one.user.email).slice(attempts);
    expect(later.map(({ subject }) => subject)).toEqual(['Lead created: Kept Byron']);
  });

  test('with a digest has no entry for a lead that left the reach of the user, and is not sent without entries', async () => {
    const [one, without] = [await reader('weekly_email_digest'), await reader('weekly_email_digest')];
    await newLead('Kept', one);
    const lost = [await newLead('Lost', one), await newLead('Lost', without)];
    await drain();
    for (const lead of lost) await giveAway(lead);
    await pass(8 * day);
    const [digest, ...more] = to(one.user.email);
    expect(more).toEqual([]);
    expect(digest?.text).toContain('the lead Kept Byron');
    for (const part of [digest?.text, digest?.html]) expect(part).not.toContain('Lost');
    expect(to(without.user.email)).toEqual([]);
  });
});

describe('a webhook', () => {
  test.each<[string, Permission[]]>([
    ['no further permission', []],
    ['readEvents', ['readEvents']],
  ])(
    'cannot be created, changed or used by a caller with %s for a kind of event of which the caller reaches some records',
    async (_, further) => {
      const of = await tenant();
      const target = await receiver(behaviours.responds(200));
      const body = { url: target.url, events: ['lead_created' as const] };
      const limited = await member(of, [
        ...(['readWebhooks', 'writeWebhooks', 'readTeamLeads', 'readUnassignedLeads'] as const),
        ...further,
      ]);
      const { client: by } = limited;
      const { id } = await of.admin.ok(createWebhook, { body });
      await of.admin.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
      await drain();
      expect(target.received).toHaveLength(1);
      const { data } = await of.admin.ok(listWebhookDeliveries, { params: { id } });
      const params = { id, did: Number(data[0]?.id) };
      const { id: idle } = await of.admin.ok(createWebhook, { body: { ...body, events: ['team_created'] } });
      for (const { status, body: answer } of [
        await by.call(createWebhook, { body }),
        await by.call(updateWebhook, { params: { id }, body: { url: `${target.url}/other` } }),
        await by.call(setWebhookEvents, { params: { id: idle }, body: { events: body.events } }),
        await by.call(redeliverWebhookDelivery, { params }),
      ])
        expect([status, answer.error]).toEqual([403, 'grant_exceeds_own']);
      await drain();
      expect(target.received).toHaveLength(1);
    },
  );

  test.each<[string, Permission[], EventKind[]]>([
    ['of invoices', ['readInvoices', 'readOwnMerchants'], ['invoice_created']],
    ['of MIDs', ['readEvents', 'writeOwnMerchants'], ['mid_created']],
    ['without a kind', ['readEvents', 'readOwnTickets'], ['no_event_name']],
  ])('cannot receive events %s of hidden records', async (_, permissions, events) => {
    const of = await tenant();
    const by = await member(of, ['writeWebhooks', ...permissions]);
    await provesAgain(by.client);
    const create = (kinds: EventKind[]) =>
      by.client.call(createWebhook, { body: { url: 'https://example.com/hook', events: kinds } });
    expect((await create(events)).body.error).toBe('grant_exceeds_own');
    const reads = permissions.includes('readEvents');
    expect((await create(reads ? ['lead_created', 'team_created'] : [])).status).toBe(201);
  });
});
