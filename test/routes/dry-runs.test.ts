import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { beforeAll, describe, expect, test } from 'vitest';
import listApplications from '../../functions/applications/list-applications.ts';
import readApplication from '../../functions/applications/read-application.ts';
import listMerchants from '../../functions/merchants/list-merchants.ts';
import readMerchant from '../../functions/merchants/read-merchant.ts';
import setNotificationPreferences from '../../functions/users/set-notification-preferences.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import type { ChannelName } from '../../shared/channels/channels.ts';
import { takesDryRun } from '../../shared/endpoints/contract.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { queueNames, queueUrlVariable } from '../../shared/events/queues.ts';
import type { DryRun } from '../../shared/http/dry-run.ts';
import { call } from '../harness/call.ts';
import { drain, newStreamRecords } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { causedIn, expectCaused } from '../harness/previewed.ts';
import { scanTable } from '../harness/raw-table.ts';
import { type Client, type Tenant, tenant } from '../harness/tenant.ts';
import { expectHappy, type HappyPath, happyPath } from './happy-paths.ts';
import { planted, planting, sensitiveCanaries } from './plant-canaries.ts';
import { nameOf, unreachableWebhook } from './records.ts';

/** Resources whose calls change recipients or logins. Each of them is tested in a separate account. */
const apart = ['auth', 'users', 'webhooks', 'apikeys', 'accounts'];
const owners = new Map<string, Tenant>();
const theRest = 'the rest';
function ownerNameOf({ contract }: Endpoint): string {
  const [, resource = ''] = contract.path.split('/');
  // Other routes need the connection.
  if (contract.method === 'DELETE' && contract.path === '/integrations/partner/connection') return 'partner';
  if (contract.method === 'DELETE' && contract.path === '/billing/provider') return 'provider';
  return apart.includes(resource) ? resource : theRest;
}
async function ownerOf(endpoint: Endpoint): Promise<Tenant> {
  const name = ownerNameOf(endpoint);
  const owner = owners.get(name) ?? planting(await tenant());
  owners.set(name, owner);
  return owner;
}

interface Prepared {
  name: string;
  endpoint: Endpoint;
  sent: HappyPath;
}

const all = await loadEndpoints();
const prepared: Prepared[] = [];
for (const { endpoint } of all.filter(({ endpoint }) => takesDryRun(endpoint.contract)))
  prepared.push({
    name: nameOf(endpoint.contract),
    endpoint,
    sent: planted(endpoint, await happyPath(endpoint, await ownerOf(endpoint))),
  });
// Discards the stream records of the preparation, so that they notify no recipient.
await newStreamRecords();

// From here on, an administrator, a restricted member and a webhook are subscribed to every kind of event that the
// tested routes emit.
for (const [name, owner] of owners) {
  const tried = prepared.filter(({ endpoint }) => ownerNameOf(endpoint) === name);
  const kinds = [...new Set(tried.flatMap(({ endpoint }) => endpoint.contract.emits ?? []))];
  const rulesFor = (...deliveryPref: ChannelName[]) => kinds.map((event) => ({ event, deliveryPref }));
  const listener = await member(owner, ['readNotifications', 'readLeads', 'readTickets'], {
    phone: '+1 415 555 0134',
  });
  const prefer = (by: Client, email: string, body: ReturnType<typeof rulesFor>) =>
    by.ok(setNotificationPreferences, { params: { email }, body });
  await prefer(owner.admin, owner.adminEmail, rulesFor('website'));
  await prefer(listener.client, listener.user.email, rulesFor('email', 'sms', 'weekly_email_digest'));
  await owner.admin.ok(createWebhook, { body: { ...unreachableWebhook, events: kinds } });
}
await drain();

const dryRun = ({ endpoint, sent }: Prepared) =>
  call(endpoint, { ...(sent as object), query: { ...sent.query, dryRun: true } });

const sqs = new SQSClient({ endpoint: process.env.AWS_ENDPOINT_URL_SQS });

/** The complete state: items, files by digest, and queued messages. */
async function everything() {
  const items = (await scanTable()).map((item) => [`${item.pk} ${item.sk}`, item] as const);
  const bucket = join(dirname(process.env.SECRET_FILE ?? ''), 'objects');
  const files = readdirSync(bucket, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(bucket, name)).isFile())
    .map(
      (name) =>
        [
          name,
          createHash('sha256')
            .update(readFileSync(join(bucket, name)))
            .digest('hex'),
        ] as const,
    );
  const messages = await Promise.all(
    queueNames.map(async (name) => {
      const asked = {
        QueueUrl: process.env[queueUrlVariable(name)],
        MaxNumberOfMessages: 10,
        VisibilityTimeout: 0,
      };
      return [name, (await sqs.send(new ReceiveMessageCommand(asked))).Messages ?? []] as const;
    }),
  );
  return {
    items: Object.fromEntries(items),
    files: Object.fromEntries(files),
    messages: Object.fromEntries(messages),
  };
}

/** Returns the request with `reveal` off, because a preview never reveals values. */
function unrevealed({ endpoint, sent }: Prepared): object {
  const { query } = endpoint.contract as { query?: { properties?: object } };
  return query?.properties && 'reveal' in query.properties
    ? { ...sent, query: { ...sent.query, reveal: false } }
    : sent;
}

const previewed = new Map<string, DryRun>();

test('a dry run of each changing route leaves table, bucket and queues unchanged, byte for byte', async () => {
  const before = await everything();
  expect(prepared.length).toBeGreaterThan(100);
  expect(Object.keys(before.files).length).toBeGreaterThan(3);
  for (const one of prepared) {
    const { status, body } = await dryRun(one);
    expect.soft({ name: one.name, status, body }).toMatchObject({ status: 200, body: { dryRun: true } });
    if (isDryRun(body)) previewed.set(one.name, body);
  }
  expect(await everything()).toEqual(before);
});

/**
 * Finds texts in a preview that look like a key, token, secret or signed URL. Ignores texts that the caller
 * sent.
 */
function credentialsIn(preview: DryRun, sent: HappyPath): string[] {
  const sentText = JSON.stringify(sent);
  // The header of an upload contains the sent SHA-256 in another encoding.
  const digests = (sentText.match(/\b[0-9a-f]{64}\b/g) ?? []).map((hex) =>
    Buffer.from(hex, 'hex').toString('base64'),
  );
  const known = [sentText, ...digests].join(' ');
  const looksRandom = (text: string) => [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(text));
  const text = JSON.stringify(preview);
  const random = (text.match(/[A-Za-z0-9+-]{32,}/g) ?? []).filter(looksRandom);
  // Also finds these values by the name of their field: a base64url token can contain `_`, which the pattern
  // above does not match.
  const named = text.match(/(?<="(?:token|secret|apiSecret|appKey)":")(?!REDACTED")[^"]+/g) ?? [];
  return [...random, ...named, ...(text.match(/(?:mo_[as]k_|whsec_|X-Amz-Signature=)\w+/g) ?? [])].filter(
    (found) => !known.includes(found),
  );
}

test('a dry run of each route returns no sensitive value or credential to an administrator', async () => {
  const { admin } = owners.get(theRest) ?? (await tenant());
  const shown = [];
  for (const { id } of (await admin.ok(listApplications, { query: { pageSize: 100 } })).data)
    shown.push(await admin.ok(readApplication, { params: { applicationId: id } }));
  for (const { id } of (await admin.ok(listMerchants, { query: { pageSize: 100 } })).data)
    shown.push(await admin.ok(readMerchant, { params: { merchantId: id }, query: { reveal: true } }));
  const shownText = JSON.stringify(shown);
  for (const canary of sensitiveCanaries) expect(shownText).toContain(canary);
  const appKeys = shownText.match(/mo_ak_\w+/g) ?? [];
  expect(appKeys.length).toBeGreaterThan(10);
  let searched = 0;
  for (const { name, sent } of prepared) {
    const preview = previewed.get(name);
    if (!preview) throw new Error(`${name} was not tried.`);
    const text = JSON.stringify(preview);
    expect
      .soft(
        [...sensitiveCanaries, ...appKeys].filter((canary) => text.includes(canary)),
        name,
      )
      .toEqual([]);
    expect.soft(credentialsIn(preview, sent), name).toEqual([]);
    searched += 1;
  }
  expect(searched).toBe(all.filter(({ endpoint }) => takesDryRun(endpoint.contract)).length);
});

describe('the effects that a dry run previews', () => {
  let caused: ReturnType<typeof causedIn> | undefined;

  beforeAll(async () => {
    for (const one of prepared) {
      const headers = { ...one.sent.headers, 'user-agent': one.name };
      expectHappy(one.endpoint, await call(one.endpoint, { ...unrevealed(one), headers }));
      // Drains the queues before the next call changes the recipients.
      if (ownerNameOf(one.endpoint) !== theRest) await drain();
    }
    await drain();
    caused = causedIn(await scanTable());
  }, 300_000);

  test.each(prepared)('$name: the real request causes exactly the previewed effects', ({ name }) => {
    const dry = previewed.get(name);
    if (!dry || !caused) throw new Error('There was no dry run.');
    expectCaused(dry, caused(name));
  });

  test('the previews list recipients by name, or only their number if the caller may not see names', () => {
    const all = [...previewed.values()];
    const named = all.flatMap(({ notifications }) =>
      typeof notifications === 'object' ? notifications : [],
    );
    expect([...new Set(named.flatMap(({ channels }) => channels))].sort()).toEqual([
      'email',
      'sms',
      'website',
      'weekly_email_digest',
    ]);
    const count = (previewed: DryRun['notifications'] | DryRun['webhooks']) =>
      typeof previewed === 'object' ? previewed.length : 0;
    expect(all.filter(({ notifications }) => count(notifications) > 0).length).toBeGreaterThan(80);
    expect(all.filter(({ webhooks }) => count(webhooks) > 0).length).toBeGreaterThan(80);
    expect(all.filter(({ notifications }) => Number(notifications) > 0).length).toBeGreaterThan(3);
  });
});

const isDryRun = (body: unknown): body is DryRun =>
  typeof body === 'object' && body !== null && 'dryRun' in body;
