import { describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import deleteApiKey from '../../functions/apikeys/delete-api-key.ts';
import setApiKeyPermissions from '../../functions/apikeys/set-api-key-permissions.ts';
import updateApiKey from '../../functions/apikeys/update-api-key.ts';
import decideApplication from '../../functions/applications/decide-application.ts';
import listApplications from '../../functions/applications/list-applications.ts';
import saveExternalApplication from '../../functions/extapi/save-external-application.ts';
import saveExternalLead from '../../functions/extapi/save-external-lead.ts';
import submitExternalApplication from '../../functions/extapi/submit-external-application.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import listWebhookDeliveries from '../../functions/webhooks/list-webhook-deliveries.ts';
import setWebhookEvents from '../../functions/webhooks/set-webhook-events.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { behaviours, receiver } from '../harness/receiver.ts';
import { tenant } from '../harness/tenant.ts';
import { vendorOf } from './vendor.ts';

const acme = await tenant();
const vendor = await vendorOf(acme, ['writeWebhooks']);
const other = await vendorOf(acme);
const kinds = ['extapi_lead_created', 'extapi_status_change'];
const url = 'https://hooks.example.com/vendor';
const lead = { firstName: 'Ada', lastName: 'Byron' };

interface Delivered {
  type: string;
  data: { actor: object; subject: object; keyId?: number; externalId?: string; status?: string };
}

test('a webhook of a key receives only events of the records that the key sent, without names of staff', async () => {
  const { url, received } = await receiver(behaviours.responds(204));
  await acme.admin.ok(createWebhook, { body: { url, events: kinds, externalKeyId: vendor.id } });
  await acme.admin.ok(updateAccount, {
    params: { id: acme.accountId },
    body: { requireCompleteApplication: false },
  });
  for (const by of [vendor, other]) {
    await by.ok(saveExternalLead, { body: { externalId: 'l1', ...lead } });
    await by.ok(saveExternalApplication, { body: { externalId: 'a1', basics: { dbaName: 'Engines' } } });
    await by.ok(submitExternalApplication, { params: { externalId: 'a1' } });
  }
  const { data } = await acme.admin.ok(listApplications);
  for (const { id } of data) {
    const body = { decision: 'rejected' as const, reason: 'secret reason' };
    await acme.admin.ok(decideApplication, { params: { applicationId: id }, body });
  }
  await drain();
  const bodies = received.map(({ body }) => JSON.parse(body) as Delivered);
  expect(bodies.map(({ type }) => type).sort()).toEqual(kinds);
  for (const { data } of bodies) expect(data.keyId).toBe(vendor.id);
  const [created, changed] = kinds.map((kind) => bodies.find(({ type }) => type === kind)?.data);
  expect(created).toMatchObject({
    externalId: 'l1',
    actor: { user: vendor.apiKey },
    subject: { type: 'lead' },
  });
  expect(changed).toMatchObject({ externalId: 'a1', status: 'rejected', actor: { user: 'staff' } });
  for (const text of [acme.adminEmail, 'secret', 'Engines', 'Byron'])
    expect(received.map(({ body }) => body).join()).not.toContain(text);
});

test('a key that subscribes only to kinds of the external API is limited to its own records', async () => {
  const webhook = await vendor.ok(createWebhook, { body: { url, events: kinds } });
  expect(webhook.externalKeyId).toBe(vendor.id);
  const { status, body } = await vendor.call(createWebhook, {
    body: { url, events: ['extapi_lead_created', 'lead_created'] },
  });
  expect([status, body.error]).toEqual([403, 'grant_exceeds_own']);
});

test('a webhook of a key cannot subscribe to other kinds, and its key must exist', async () => {
  const body = { url, events: ['lead_created'], externalKeyId: vendor.id };
  const refused = await acme.admin.call(createWebhook, { body });
  expect([refused.status, refused.body.details]).toEqual([
    400,
    [
      {
        field: 'events[0]',
        message: 'must begin with extapi_, because the webhook has an externalKeyId',
      },
    ],
  ]);
  const { id } = await acme.admin.ok(createWebhook, { body: { ...body, events: kinds } });
  const widened = { params: { id }, body: { events: [...kinds, 'lead_created'] } };
  expect((await acme.admin.call(setWebhookEvents, widened)).status).toBe(400);
  const unknown = await acme.admin.call(createWebhook, {
    body: { ...body, events: kinds, externalKeyId: 7 },
  });
  expect([unknown.status, unknown.body.details]).toEqual([
    400,
    [{ field: 'externalKeyId', message: 'is not an API key of this account' }],
  ]);
});

describe('a webhook of a key receives nothing after its key', () => {
  const rights: Record<string, (key: { id: number }) => Promise<unknown>> = {
    'was deleted': ({ id }) => acme.admin.ok(deleteApiKey, { params: { id: String(id) } }),
    'lost useExternalApi': ({ id }) =>
      acme.admin.ok(setApiKeyPermissions, {
        params: { id: String(id) },
        body: { flatPermissionsList: ['writeWebhooks'] },
      }),
    expired: async ({ id }) => {
      const expiresAt = new Date(clock.now().getTime() + 60_000).toISOString();
      await acme.admin.ok(updateApiKey, { params: { id: String(id) }, body: { expiresAt } });
      clock.advance(61_000);
    },
  };

  test.each(Object.keys(rights))('%s, even for events from before', async (what) => {
    const key = await vendorOf(acme);
    const { url, received } = await receiver(behaviours.responds(204));
    const { id } = await acme.admin.ok(createWebhook, {
      body: { url, events: kinds, externalKeyId: key.id },
    });
    await key.ok(saveExternalLead, { body: { externalId: 'l2', ...lead } });
    await drain();
    expect(received).toHaveLength(1);
    await key.ok(saveExternalLead, { body: { externalId: 'l3', ...lead } });
    await rights[what]?.(key);
    await drain();
    expect(received).toHaveLength(1);
    const { data } = await acme.admin.ok(listWebhookDeliveries, { params: { id } });
    expect(data.map(({ status }) => status).sort()).toEqual(['cancelled', 'delivered']);
    expect(data.find(({ status }) => status === 'cancelled')?.attempts).toEqual([
      expect.objectContaining({ error: 'permission_denied' }),
    ]);
  });
});
