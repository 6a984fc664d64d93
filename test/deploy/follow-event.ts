import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import type { ApiClient } from '../../infra/operations/api-client.ts';
import { behaviours, receiver } from '../harness/receiver.ts';
import { type Deployment, signIn } from './deployment.ts';
import { accountId, type Emulator } from './emulator.ts';

/** Creates a lead and waits until its event has reached the audit log, the inbox, a webhook and a mail. */
export async function followEvent(emulator: Emulator, deployment: Deployment): Promise<void> {
  const { key, administrator } = await signIn(deployment);
  const { adminEmail, apiKey } = deployment.credentials;
  const hook = await receiver(behaviours.responds(204));
  const { id: webhook, secret } = await key.send<{ id: number; secret: string }>('POST', '/webhooks', {
    body: { url: hook.url, events: ['lead_created'] },
  });
  await administrator.send('PUT', `/users/${encodeURIComponent(adminEmail)}/notification-preferences`, {
    body: [{ event: 'lead_created', deliveryPref: ['website', 'email'] }],
  });
  const id = await createLead(key);
  await expectAuditLog(key, id, { apiKey });
  await expect
    .poll(async () => (await administrator.send<{ data: object[] }>('GET', '/notifications')).data)
    .toMatchObject([{ event: 'lead_created', data: { subject: { id } } }]);
  await expect.poll(() => hook.received).toHaveLength(1);
  const [received] = hook.received;
  const payload = new Webhook(secret).verify(
    received?.body ?? '',
    received?.headers as Record<string, string>,
  );
  expect(payload).toMatchObject({ type: 'lead_created', data: { subject: { id } } });
  await expect
    .poll(async () => (await key.send<{ data: object[] }>('GET', `/webhooks/${webhook}/deliveries`)).data)
    .toMatchObject([{ status: 'delivered' }]);
  await expect
    .poll(() => mails(emulator))
    .toMatchObject([{ To: [adminEmail], Subject: expect.stringContaining('Ada Byron') }]);
}

export async function createLead(key: ApiClient): Promise<number> {
  const body = { firstName: 'Ada', lastName: 'Byron' };
  return (await key.send<{ id: number }>('POST', '/leads', { body })).id;
}

/** Waits until the audit log of a new lead contains the event of the creation. */
export const expectAuditLog = (key: ApiClient, id: number, entry: object = {}): Promise<void> =>
  expect
    .poll(async () => (await key.send<{ auditLog: object[] }>('GET', `/leads/${id}`)).auditLog)
    .toMatchObject([{ event: 'lead_created', ...entry }]);

/** The mails sent through SES. */
async function mails({ endpoint }: Emulator): Promise<object[]> {
  const response = await fetch(`${endpoint}/_ministack/ses/messages`);
  const { messages } = (await response.json()) as { messages: Record<string, object[]> };
  return messages[accountId] ?? [];
}
