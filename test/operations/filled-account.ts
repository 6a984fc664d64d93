import startBodyCapture from '../../functions/accounts/start-body-capture.ts';
import requestDomain from '../../functions/domains/request-domain.ts';
import validateDomain from '../../functions/domains/validate-domain.ts';
import rotatePartnerSecret from '../../functions/integrations/rotate-partner-secret.ts';
import savePartnerConnection from '../../functions/integrations/save-partner-connection.ts';
import testPartnerConnection from '../../functions/integrations/test-partner-connection.ts';
import completeMerchantDocument from '../../functions/merchants/complete-merchant-document.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMerchantDocument from '../../functions/merchants/create-merchant-document.ts';
import setNotificationPreferences from '../../functions/users/set-notification-preferences.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import { describedScan } from '../../infra/administration/upload-file.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import type { ChannelName } from '../../shared/channels/channels.ts';
import { successStatus } from '../../shared/endpoints/contract.ts';
import type { EventKind } from '../../shared/resources/registry.ts';
import { call } from '../harness/call.ts';
import { drain } from '../harness/drain.ts';
import { filledMerchant } from '../harness/filled-merchant.ts';
import { sealAll } from '../harness/seal-events.ts';
import type { Tenant } from '../harness/tenant.ts';
import { happyPath } from '../routes/happy-paths.ts';
import { publishDomain } from '../routes/publish-domain.ts';
import { withFile } from '../routes/uploaded-document.ts';

interface Rules {
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  pattern?: string;
  maxLength?: number;
  properties?: Record<string, Rules>;
  items?: Rules;
}

/** Names of string fields that do not contain free text. */
const references = /(id|ids|by|to|token|password|email|zone|key)$/i;

/** Adds a text to all free-text fields of a body. */
function withText(body: unknown, rules: Rules | undefined, text: string, name = ''): unknown {
  if (Array.isArray(body)) return body.map((one) => withText(one, rules?.items, text, name));
  if (typeof body === 'object' && body !== null)
    return Object.fromEntries(
      Object.entries(body).map(([field, value]) => [
        field,
        withText(value, rules?.properties?.[field], text, field),
      ]),
    );
  const isFree =
    rules && !rules.enum && !rules.format && !rules.pattern && (rules.maxLength ?? 1000) > 2 * text.length;
  return typeof body === 'string' && isFree && !references.test(name) ? `${body} ${text}` : body;
}

/**
 * The kinds of events to which an administrator and a webhook are subscribed. These events fill inboxes,
 * digests and the work queues of mail and the webhook.
 */
const subscribed: EventKind[] = ['lead_created', 'ticket_created', 'note_created'];
const channels: ChannelName[] = ['website', 'email', 'weekly_email_digest'];

/**
 * Calls every endpoint that creates a record of the account, with the text in all free-text fields, and processes all events.
 * An administrator and a webhook are subscribed to some of the events. Connects the account to a partner. Returns the number
 * of successful calls with the text.
 */
export async function fillAccount(owner: Tenant, text: string): Promise<number> {
  await owner.admin.ok(setNotificationPreferences, {
    params: { email: owner.adminEmail },
    body: subscribed.map((event) => ({ event, deliveryPref: channels })),
  });
  await owner.admin.ok(createWebhook, {
    body: { url: `http://127.0.0.1:9/${encodeURIComponent(text)}`, events: subscribed },
  });
  await owner.admin.ok(startBodyCapture, { params: { id: owner.accountId }, body: { days: 14 } });
  const all = await loadEndpoints();
  // A child account would remain after the erasure of the account.
  const filling = all.filter(
    ({ endpoint: { contract } }) => successStatus(contract) === 201 && contract.path !== '/accounts',
  );
  let filled = 0;
  for (const { endpoint } of filling) {
    const sent = await happyPath(endpoint, owner);
    const rules = endpoint.contract.body as Rules | undefined;
    const filledIn: object = { ...sent, body: withText(sent.body, rules, text) };
    const { status } = await call(endpoint, filledIn);
    if (status < 300 && rules) filled += 1;
    else if (status >= 300) await call(endpoint, sent as object);
  }
  await documentedMerchant(owner);
  await connectPartner(owner, text);
  await heldDomain(owner);
  await drain();
  await sealAll(owner.accountId);
  return filled;
}

/** Connects the account to a partner that cannot be reached, and queues a request to it. Returns both valid secrets. */
export async function connectPartner(owner: Tenant, text: string): Promise<string[]> {
  const body = { url: `http://127.0.0.1:9/${encodeURIComponent(text)}`, active: true };
  const { secret: first = '' } = await owner.admin.ok(savePartnerConnection, { body });
  const { secret } = await owner.admin.ok(rotatePartnerSecret, { body: { expireNow: first === '' } });
  await owner.admin.ok(testPartnerConnection, {});
  return [first, secret].filter(Boolean);
}

/** Validates a vanity domain, so that an item across accounts names the account as its holder. */
async function heldDomain({ admin }: Tenant): Promise<void> {
  const domain = await admin.ok(requestDomain, { body: { domain: 'held.example.com' } });
  await publishDomain(domain);
  await admin.ok(validateDomain, { params: { id: domain.id } });
}

/** Creates a merchant with sensitive values and an uploaded document. */
export async function documentedMerchant(owner: Tenant): Promise<{ merchantId: number; documentId: string }> {
  const { id: merchantId } = await owner.admin.ok(createMerchant, { body: filledMerchant });
  const body = { ...describedScan, type: 'w9' };
  const document = await owner.admin.ok(createMerchantDocument, { params: { merchantId }, body });
  const params = { merchantId, documentId: document.id };
  await withFile(completeMerchantDocument)(owner, params, document);
  return params;
}
