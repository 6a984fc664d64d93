import { expect, test } from 'vitest';
import createApplication from '../../functions/applications/create-application.ts';
import createTicketTypeMapping from '../../functions/integrations/create-ticket-type-mapping.ts';
import createLead from '../../functions/leads/create-lead.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import createTicketType from '../../functions/ticket-types/create-ticket-type.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { changes, permissionsOf, successStatus, takesDryRun } from '../../shared/endpoints/contract.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import type { DryRun } from '../../shared/http/dry-run.ts';
import { allPermissions, limitedPermissions } from '../../shared/resources/derived.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { permissionToRead } from '../../shared/security/permissions.ts';
import { requesterTypes } from '../../shared/support/tickets/schema.ts';
import { plantMail } from '../correspondence/planted-mails.ts';
import { call } from '../harness/call.ts';
import { filledApplication } from '../harness/filled-application.ts';
import { filledMerchant } from '../harness/filled-merchant.ts';
import { type Member, member } from '../harness/member.ts';
import { notify } from '../harness/notify.ts';
import { tenant } from '../harness/tenant.ts';
import { provider as identityProvider } from '../people/scim/provider.ts';
import { type HappyPath, happyPath } from './happy-paths.ts';
import { type Mark, marking, marksIn, newMark } from './marked-texts.ts';
import { planted, planting, sensitiveCanaries } from './plant-canaries.ts';
import { exampleBody, nameOf, unreachableWebhook } from './records.ts';

const all = await loadEndpoints();
const plain = await tenant();
/** Every free text of the records that this administrator creates is a mark. */
const acme = planting(marking(plain, sensitiveCanaries));

/** A record of each kind that a request can refer to. */
async function namedRecords() {
  const { admin } = acme;
  const query = { skipTeamAndSourceRequirement: true };
  const mid = { mid: '4445012349999' };
  const { text: phone } = newMark('readUsers', 'phone', '+14155550199');
  const merchant = await admin.ok(createMerchant, { body: filledMerchant });
  await admin.ok(createWebhook, { body: { ...unreachableWebhook, description: 'Ledger' } });
  const mapping = await happyPath(createTicketTypeMapping, acme);
  await admin.ok(createTicketTypeMapping, {
    body: { ...Object(mapping.body), partnerCategoryName: 'Hardware' },
  });
  const textOf = (field: string) => newMark('readUsers', field).text;
  await plantMail(plain, { subject: newMark('readMails', 'subject').text });
  return {
    lead: await admin.ok(createLead, {
      query,
      body: exampleBody(createLead) as { firstName: string; lastName: string },
    }),
    application: await admin.ok(createApplication, { body: filledApplication }),
    merchant,
    mid: await plain.admin.ok(createMid, { params: { merchantId: merchant.id }, body: mid }),
    type: await admin.ok(createTicketType, {
      body: { name: 'Fault', description: 'Of a terminal', category: 'technical' },
    }),
    user: (await member(plain, [], { name: textOf('name'), email: `${textOf('email')}@example.com`, phone }))
      .user,
  };
}
const named = await namedRecords();

/** The body fields that refer to other records, with the ids of these records. */
const references: Readonly<Record<string, unknown>> = {
  leadId: named.lead.id,
  merchantId: named.merchant.id,
  applicationId: named.application.id,
  midId: named.mid.id,
  ticketTypeId: named.type.uniqueId,
  serviceTicketTypeId: named.type.uniqueId,
  assignedTo: String(named.user.id),
  ownerId: String(named.user.id),
  participants: [String(named.user.id)],
};

/** The id of a ticket’s requester, by requester type. */
const requesters: Readonly<Record<string, string>> = {
  lead: String(named.lead.id),
  application: named.application.id,
  merchant: String(named.merchant.id),
  'merchant-internal': String(named.merchant.id),
  mid: String(named.mid.id),
  user: String(named.user.id),
  external: 'shop-12',
};

/** Routes that reject this caller, because their records or bodies contain permissions that the caller lacks. */
const refused = new Set([
  'POST /apikeys',
  'DELETE /apikeys/{id}',
  'PATCH /apikeys/{id}',
  'POST /roles',
  'DELETE /roles/{id}',
  'PUT /roles/{id}/permissions',
  'PATCH /roles/{id}',
  'PUT /users/{email}/permissions',
  'PUT /users/{email}/roles',
  'PATCH /users/{email}',
  'PUT /webhooks/{id}/events',
  'POST /webhooks/{id}/deliveries/{did}/redeliver',
]);

/**
 * Returns variants of a successful request that contain every possible reference. A caller without `readUsers` can add
 * only itself to a rotation.
 */
function variantsOf(endpoint: Endpoint, sent: HappyPath, by: Member): HappyPath[] {
  const { properties = {} } = (endpoint.contract.body ?? {}) as { properties?: Record<string, unknown> };
  const known = { ...references, userRotationArray: [{ userId: String(by.user.id), weight: 1 }] };
  const naming = Object.fromEntries(Object.entries(known).filter(([field]) => field in properties));
  const body = { ...(sent.body as object), ...naming };
  if (endpoint !== createTicket) return [Object.keys(properties).length > 0 ? { ...sent, body } : sent];
  const { leadId, merchantId, applicationId, midId, ...unlinked } = body as Record<string, unknown>;
  const typed = requesterTypes.map((requesterType) => ({
    ...unlinked,
    requesterType,
    requesterId: requesters[requesterType],
    requesterName: 'sent by the caller',
    requesterEmail: 'sent@example.com',
  }));
  return [body, ...typed].map((one) => ({ ...sent, body: one }));
}

/** A converted lead becomes an application, and an approved application a merchant, with the same texts. */
const copying = new Set([
  'POST /leads/{leadId}/convert',
  'POST /applications/{applicationId}/decision',
  'POST /applications/{applicationId}/partner-submission',
]);

const callers = new Map<string, Member>();

/** A user with exactly these permissions, and with an unread notification of a lead. */
async function callerWith(permissions: readonly Permission[]): Promise<Member> {
  const known = callers.get(permissions.join());
  if (known) return known;
  const made = await member(plain, [...permissions]);
  // SCIM accepts only API keys, besides administrators.
  if (permissions.includes('provisionUsers')) made.client = await identityProvider(plain);
  const label = newMark('readLeads', 'the label of a lead in a notification').text;
  const subject = { type: 'lead', id: named.lead.id, version: 2, label } as const;
  await notify({ account: plain.accountId, email: made.user.email }, { subject });
  callers.set(permissions.join(), made);
  return made;
}

interface Exchange {
  name: string;
  endpoint: Endpoint;
  /** The caller's permissions. Routes without permissions are called by an administrator or a user of another account. */
  permissions: readonly Permission[];
  sent: unknown;
  dry?: DryRun;
  status: number;
  body: unknown;
}

/** Calls each route with only the permissions of its contract: first a dry run, then the request. */
const exchanges: Exchange[] = [];
for (const { endpoint } of all) {
  const { contract } = endpoint;
  const name = nameOf(contract);
  const permissions = permissionsOf(contract);
  const by = await callerWith(permissions);
  const marked = copying.has(name) ? planting(plain) : acme;
  const vendor = planting({ ...plain, admin: by.client }).admin;
  const adminEmail = permissions.includes('readNotifications') ? by.user.email : marked.adminEmail;
  const owner = { ...marked, adminEmail, vendor };
  for (const sent of variantsOf(endpoint, planted(endpoint, await happyPath(endpoint, owner)), by)) {
    const headers = permissions.length > 0 ? by.client.headers : sent.headers;
    const request = { ...(sent as object), headers };
    const previewing = takesDryRun(contract)
      ? await call(endpoint, { ...request, query: { ...sent.query, dryRun: true } })
      : undefined;
    const dry = previewing?.status === 200 ? (previewing.body as unknown as DryRun) : undefined;
    const { status, body } = await call(endpoint, request);
    exchanges.push({ name, endpoint, permissions, sent: sent.body, dry, status, body });
  }
}
const namesOf = (found: readonly Exchange[]) => [...new Set(found.map(({ name }) => name))].sort();
const granted = exchanges.filter(({ permissions }) => permissions.length > 0);

/** The permissions to read records without marked texts. The statements of a user have the marks of `readResiduals`. */
const unmarked: readonly Permission[] = [
  'readEvents',
  'readInternalComments',
  'readLookups',
  'readNotifications',
  'readOwnResiduals',
  ...Object.values(limitedPermissions).flatMap((limited) => Object.values(limited)),
];

test('each route succeeds with the permissions of its contract, except if a record needs further permissions', () => {
  for (const { name, endpoint, status, body } of exchanges) {
    const success = endpoint.contract.method === 'ANY' ? 405 : successStatus(endpoint.contract);
    expect.soft({ name, status, body }).toMatchObject({ status: refused.has(name) ? 403 : success });
  }
  expect(namesOf(exchanges)).toEqual(all.map(({ endpoint }) => nameOf(endpoint.contract)).sort());
  const marked = new Set(exchanges.flatMap(({ body }) => marksIn(body).map(({ readBy }) => readBy)));
  expect([...marked].sort()).toEqual(
    allPermissions
      .filter((one) => (one.startsWith('read') || one === 'provisionUsers') && !unmarked.includes(one))
      .sort(),
  );
});

/** A caller may read the events of its own permissions, and the response to a change contains the changed record. */
const mayBeIn = (permissions: readonly Permission[]) => {
  const readable = new Set([...permissions, ...permissions.map(permissionToRead)]);
  // An invoice contains the name and the address of its customer.
  const isOnInvoices = (field: string) =>
    readable.has('readInvoices') && /^POST \/merchants (legalName|merchantName|addresses)/.test(field);
  // An identity provider reads and changes the users of the account.
  const areUsers = (name: Permission) => name === 'provisionUsers' || name === 'readUsers';
  const readsUsers = [...readable].some(areUsers);
  return ({ readBy, field }: Mark) =>
    readable.has(readBy) ||
    (readsUsers && areUsers(readBy)) ||
    readable.has('readEvents') ||
    isOnInvoices(field);
};
const described = (marks: readonly Mark[]) => marks.map(({ field }) => field);

test('a response contains no text of a record that the caller may not read', () => {
  for (const { name, permissions, sent, body } of granted) {
    const isAllowed = mayBeIn(permissions);
    const hidden = marksIn(body).filter((mark) => !isAllowed(mark));
    expect.soft(described(hidden), `${name} ${JSON.stringify(sent)}`).toEqual([]);
  }
});

test('a dry run contains no text of a record that the caller may not read, and its answer no text that the response lacks', () => {
  const previewed = granted.filter(({ dry }) => dry);
  for (const { name, permissions, dry, body } of previewed) {
    const { answer, ...effects } = dry ?? {};
    const readable = new Set(permissions);
    const hidden = marksIn(effects).filter(({ readBy }) => !readable.has(readBy));
    expect.soft(described(hidden), name).toEqual([]);
    const shown = new Set(marksIn(body));
    expect.soft(described(marksIn(answer).filter((mark) => !shown.has(mark))), name).toEqual([]);
  }
  const routes = granted.filter(({ name, endpoint }) => takesDryRun(endpoint.contract) && !refused.has(name));
  expect(namesOf(previewed)).toEqual(namesOf(routes));
  expect(namesOf(previewed).length).toBeGreaterThan(80);
});

test('no route that needs a write permission returns a sensitive value or the appKey of an earlier application', () => {
  const writing = granted.filter(
    ({ endpoint, permissions }) =>
      changes(endpoint.contract) && permissions.some((name) => !name.startsWith('read')),
  );
  for (const { name, dry, body } of writing) {
    const text = JSON.stringify([dry, body]);
    expect
      .soft(
        sensitiveCanaries.filter((canary) => text.includes(canary)),
        name,
      )
      .toEqual([]);
  }
  // These two routes create a new application key.
  const makesAppKey = ['POST /applications', 'POST /applications/{applicationId}/app-key'];
  const shows = writing.filter(({ dry, body }) => JSON.stringify([dry, body]).includes('"appKey":"mo_ak_'));
  expect(namesOf(shows)).toEqual(makesAppKey);
  expect(namesOf(writing).length).toBeGreaterThan(80);
});
