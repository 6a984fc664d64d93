import { expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import updateWebhook from '../../functions/webhooks/update-webhook.ts';
import { drain } from '../harness/drain.ts';
import { behaviours, receiver } from '../harness/receiver.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';

const leadIn = async ({ admin }: Tenant) => {
  await admin.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
  await drain();
};

test('a new endpoint does not wait for the pause that the former endpoint requested', async () => {
  const owner = await tenant();
  const busy = await receiver(behaviours.responds(503, { 'retry-after': '86400' }));
  const next = await receiver(behaviours.responds(200));
  const body = { url: busy.url, events: ['lead_created'] };
  const { id } = await owner.admin.ok(createWebhook, { body });
  await leadIn(owner);
  expect(busy.received).toHaveLength(1);
  await leadIn(owner);
  expect(busy.received).toHaveLength(1);

  await owner.admin.ok(updateWebhook, { params: { id }, body: { description: 'Other' } });
  await drain();
  expect(busy.received).toHaveLength(1);
  await owner.admin.ok(updateWebhook, { params: { id }, body: { url: next.url } });
  await drain();
  expect([busy.received.length, next.received.length]).toEqual([1, 1]);
  await leadIn(owner);
  expect(next.received).toHaveLength(2);
});

test('an endpoint that a user activates again gets waiting and new events without a pause', async () => {
  const owner = await tenant();
  const to = await receiver(behaviours.responds(500));
  const body = { url: to.url, events: ['lead_created'] };
  const { id } = await owner.admin.ok(createWebhook, { body });
  for (let n = 0; n < 6; n++) await leadIn(owner);
  expect(to.received).toHaveLength(5);
  to.behave(behaviours.responds(200));
  for (const active of [false, true])
    await owner.admin.ok(updateWebhook, { params: { id }, body: { active } });
  await leadIn(owner);
  // The delivery that waited, and the new one. The other five wait for their second attempts.
  expect(to.received).toHaveLength(7);
});
