import { expect, test } from 'vitest';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import createApplication from '../../functions/applications/create-application.ts';
import createLead from '../../functions/leads/create-lead.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import createTicketType from '../../functions/ticket-types/create-ticket-type.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { changes, permissionsOf, successStatus, takesDryRun } from '../../shared/endpoints/contract.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import type { Permission } from '../../shared/security/permissions.ts';
import { requesterTypes } from '../../shared/support/tickets/schema.ts';
import { call } from '../harness/call.ts';
import { filledApplication } from '../harness/filled-application.ts';
import { filledMerchant } from '../harness/filled-merchant.ts';
import { member } from '../harness/member.ts';
import { type Client, client, tenant } from '../harness/tenant.ts';
import { type HappyPath, happyPath } from './happy-paths.ts';
import { planted, planting, sensitiveCanaries } from './plant-canaries.ts';
import { nameOf } from './records.ts';

const all = await loadEndpoints();
/**
 * The routes that need a write permission. Excludes changes that need only a read permission, such as marking
 * one's own notifications as read.
 */
const routes = all
  .map(({ endpoint }) => endpoint)
  .filter(
    ({ contract }) => changes(contract) && permissionsOf(contract).some((name) => !name.startsWith('read')),
  );

const plain = await tenant();
const acme = planting(plain);

const textOf = (kind: string): string => `canary of a ${kind}`;
const emailOf = (kind: string): string => `canary.of.a.${kind}@example.com`;

/** A record of each kind that a request can refer to. All texts of a record contain its kind. */
async function namedRecords() {
  const { admin } = plain;
  const lead = await admin.ok(createLead, {
    query: { skipTeamAndSourceRequirement: true },
    body: {
      firstName: textOf('lead'),
      lastName: textOf('lead'),
      email: emailOf('lead'),
      phone: textOf('lead'),
    },
  });
  const application = await admin.ok(createApplication, {
    body: {
      ...filledApplication,
      basics: {
        ...filledApplication.basics,
        dbaContact: textOf('application'),
        dbaEmail: emailOf('application'),
        dbaPhone: textOf('application'),
      },
    },
  });
  const contact = { firstName: textOf('merchant'), email: emailOf('merchant'), phone: textOf('merchant') };
  const merchant = await admin.ok(createMerchant, {
    body: {
      ...filledMerchant,
      merchantName: textOf('merchant'),
      principals: [{ ...filledMerchant.principals[0], ...contact }],
    },
  });
  const mid = await admin.ok(createMid, {
    params: { merchantId: merchant.id },
    body: { mid: '4445012349999' },
  });
  const type = await admin.ok(createTicketType, {
    body: { name: textOf('ticket type'), description: textOf('ticket type'), category: 'technical' },
  });
  const { user } = await member(plain, [], {
    name: textOf('user'),
    email: emailOf('user'),
    phone: '+1 415 555 0199',
  });
  return { lead, application, merchant, mid, type, user };
}
const named = await namedRecords();

/**
 * The texts that a caller may get if it has one of the permissions `of`. A rotation includes its members, and
 * a mapping includes its ticket types.
 */
const texts: readonly { of: readonly Permission[]; canaries: readonly string[] }[] = [
  { of: ['writeLeads'], canaries: [textOf('lead'), emailOf('lead')] },
  {
    of: ['writeApplications', 'writeUnderwriting'],
    canaries: [textOf('application'), emailOf('application')],
  },
  { of: ['writeMerchants'], canaries: [textOf('merchant'), emailOf('merchant')] },
  { of: ['writeTicketTypes', 'writeIntegrations'], canaries: [textOf('ticket type')] },
  {
    of: ['writeUsers', 'writeLeadRotations', 'writeTicketRotations'],
    canaries: [textOf('user'), emailOf('user')],
  },
  { of: ['writeUsers'], canaries: ['+1 415 555 0199'] },
];

/** The body fields that refer to other records, with the ids of these records. */
const references: Readonly<Record<string, unknown>> = {
  leadId: named.lead.id,
  merchantId: named.merchant.id,
  applicationId: named.application.id,
  midId: named.mid.id,
  ticketTypeId: named.type.uniqueId,
  serviceTicketTypeId: named.type.uniqueId,
  assignedTo: String(named.user.id),
  userRotationArray: [{ userId: String(named.user.id), weight: 1 }],
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

/** Returns variants of a successful request that contain every possible reference. */
function variantsOf(endpoint: Endpoint, sent: HappyPath): HappyPath[] {
  const { properties = {} } = (endpoint.contract.body ?? {}) as { properties?: Record<string, unknown> };
  const naming = Object.fromEntries(Object.entries(references).filter(([field]) => field in properties));
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

const callers = new Map<string, Client>();

/** An API key with exactly these permissions. */
async function callerWith(permissions: readonly Permission[]): Promise<Client> {
  const known = callers.get(permissions.join());
  if (known) return known;
  const body = { description: permissions.join(), flatPermissionsList: [...permissions] };
  const { apiKey, apiSecret } = await plain.admin.ok(createApiKey, { body });
  const made = client({ 'x-account-id': plain.accountId, 'x-api-key': apiKey, 'x-api-secret': apiSecret });
  callers.set(permissions.join(), made);
  return made;
}

test('no route returns a sensitive value or a copy of another record to a caller that has only write permissions', async () => {
  const [tried, denied, showsAppKey] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const endpoint of routes) {
    const { contract } = endpoint;
    const permissions = permissionsOf(contract);
    const by = await callerWith(permissions);
    const hidden = [
      ...sensitiveCanaries,
      ...texts.flatMap(({ of, canaries }) => (of.some((one) => permissions.includes(one)) ? [] : canaries)),
    ];
    for (const sent of variantsOf(endpoint, planted(endpoint, await happyPath(endpoint, all, acme)))) {
      const request = { ...(sent as object), headers: by.headers };
      const responses = [];
      if (takesDryRun(contract))
        responses.push(await call(endpoint, { ...request, query: { ...sent.query, dryRun: true } }));
      responses.push(await call(endpoint, request));
      const { status, body } = responses.at(-1) ?? {};
      const wanted = refused.has(nameOf(contract)) ? 403 : successStatus(contract);
      expect.soft({ status, body }, nameOf(contract)).toMatchObject({ status: wanted });
      const text = JSON.stringify(responses);
      expect
        .soft(
          hidden.filter((canary) => text.includes(canary)),
          `${nameOf(contract)} ${JSON.stringify(sent.body)}`,
        )
        .toEqual([]);
      if (text.includes('"appKey":"mo_ak_')) showsAppKey.add(nameOf(contract));
      (status === 403 ? denied : tried).add(nameOf(contract));
    }
  }
  expect(routes.length).toBeGreaterThan(80);
  expect([...denied].sort()).toEqual([...refused].sort());
  expect(tried.size + denied.size).toBe(routes.length);
  // These two routes create a new application key.
  const makesAppKey = ['POST /applications', 'POST /applications/{applicationId}/app-key'];
  expect([...showsAppKey].sort()).toEqual(makesAppKey);
});
