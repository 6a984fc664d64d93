import { describe, expect, test } from 'vitest';
import assessRisk from '../../functions/applications/assess-risk.ts';
import createApplication from '../../functions/applications/create-application.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import updateApplication from '../../functions/applications/update-application.ts';
import savePaymentProvider from '../../functions/billing/save-payment-provider.ts';
import savePartnerConnection from '../../functions/integrations/save-partner-connection.ts';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import updateMerchant from '../../functions/merchants/update-merchant.ts';
import savePayoutSettings from '../../functions/residual-payouts/save-payout-settings.ts';
import createTicketRotation from '../../functions/ticket-rotations/create-ticket-rotation.ts';
import createTicketType from '../../functions/ticket-types/create-ticket-type.ts';
import readTicketType from '../../functions/ticket-types/read-ticket-type.ts';
import replaceTicketType from '../../functions/ticket-types/replace-ticket-type.ts';
import { sentBackOf } from '../../infra/build/derived.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { exampleOf } from '../../infra/openapi/example.ts';
import { permissionsOf, replacedRecord } from '../../shared/endpoints/contract.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import type { ReadOnlyFields } from '../../shared/endpoints/read-only-fields.ts';
import { applicant } from '../harness/applicant.ts';
import { call } from '../harness/call.ts';
import { drain } from '../harness/drain.ts';
import { filledApplication } from '../harness/filled-application.ts';
import { member } from '../harness/member.ts';
import { type Client, tenant } from '../harness/tenant.ts';
import { settings } from '../residuals/payouts/world.ts';
import { newRecordFor } from './happy-paths.ts';
import { nameOf } from './records.ts';

type Values = Record<string, unknown>;
interface Rules {
  properties?: Record<string, Rules>;
  type?: string | string[];
}

const all = await loadEndpoints();
const endpoints = all.map(({ endpoint }) => endpoint);
const owner = await tenant();
const replacing = endpoints.filter(({ contract }) => ['PUT', 'PATCH'].includes(contract.method));
const routes = replacing.filter(({ contract }) => replacedRecord(contract));

/** Routes that set one property. No GET returns an object of the same form as their body. */
const ofOneThing = [
  'PUT /accounts/{id}/body-capture',
  'PUT /accounts/{id}/permissions',
  'PUT /accounts/{id}/type',
  'PATCH /apikeys/{id}/permissions',
  'PUT /applications/{applicationId}/owner',
  'PUT /applications/{applicationId}/participants',
  'PATCH /applications/{applicationId}/underwriting',
  'PUT /leads/{leadId}/participants',
  'PUT /merchants/{merchantId}/owner',
  'PUT /merchants/{merchantId}/participants',
  'PUT /roles/{id}/permissions',
  // SCIM ignores the read-only attributes of a body (RFC 7643, 7).
  'PATCH /scim/v2/Groups/{id}',
  'PUT /scim/v2/Groups/{id}',
  'PATCH /scim/v2/Users/{id}',
  'PUT /scim/v2/Users/{id}',
  'PATCH /ticket-types/{id}/status',
  'PUT /tickets/{ticketId}/participants',
  'PUT /users/{email}/password',
  'PUT /users/{email}/permissions',
  'PUT /users/{email}/roles',
  'PUT /webhooks/{id}/events',
];
/** Read-only fields that are ignored even if the sent value is outdated. */
const ignored = [
  'PATCH /apikeys/{id} effectivePermissions',
  'PATCH /apikeys/{id} lastUsedAt',
  'PATCH /applications/{applicationId} documentRequirements',
  'PATCH /applications/{applicationId} validation',
  'PUT /integrations/partner/connection health',
  'PATCH /lead-rotations/{id} inactiveMembers',
  'PUT /merchants/{merchantId} warnings',
  'PATCH /roles/{id} effectivePermissions',
  'PATCH /ticket-rotations/{id} inactiveMembers',
  'PATCH /webhooks/{id} health',
];

/** Optional fields that null does not clear. */
const kept = [
  'PATCH /accounts/{id} applicantPricing',
  'PATCH /accounts/{id} rulesNeedTwoPeople',
  'PATCH /accounts/{id} residualsNeedTwoPeople',
  'PATCH /accounts/{id} impersonationForbidden',
  'PATCH /accounts/{id} mfa',
  'PATCH /accounts/{id} proofNeedsFactor',
  'PATCH /applications/{applicationId}/documents/{documentId} reason',
  'PUT /lookup/{table}/{field}/id/{id} text',
  'PUT /lookup/{table}/{field}/id/{id} displayOrder',
  'PATCH /merchants/{merchantId}/documents/{documentId} reason',
  'PATCH /tickets/{ticketId}/documents/{documentId} reason',
];

/** Returns the GET endpoint of the same path, or otherwise the list that contains the record. */
function readerOf({ contract: { path } }: Endpoint): Endpoint {
  const paths = [path, path.replace(/(\/id)?\/\{\w+\}$/, '')];
  const reader = paths.flatMap((one) =>
    endpoints.filter(({ contract }) => contract.method === 'GET' && contract.path === one),
  )[0];
  if (!reader) throw new Error(`${nameOf({ method: 'GET', path })}: no GET and no list shows the record.`);
  return reader;
}

const parameters = ({ contract: { query } }: Endpoint) =>
  new Set(Object.keys((query as Rules | undefined)?.properties ?? {}));

const fieldsOf = (fields: ReadOnlyFields, wanted: boolean, path = ''): string[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    typeof field === 'object'
      ? fieldsOf(field, wanted, `${path}${name}.`)
      : field === wanted
        ? [`${path}${name}`]
        : [],
  );
const readOnly = ({ contract }: Endpoint, wanted: 'compared' | 'ignored') =>
  fieldsOf(sentBackOf(contract)?.readOnly ?? {}, wanted === 'compared');

/** Returns a different value, or an example if the value is absent. */
function another(value: unknown, schema: Rules = {}): unknown {
  if (typeof value === 'string') return `${value}x`;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return [...value, { id: -1 }];
  if (value === undefined || value === null) return exampleOf(schema, 'response') ?? { other: 1 };
  if (Object.keys(value).length === 0) return { other: 1 };
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, another(inner)]));
}

/** Returns the record with a different value in each of these fields. */
function changed(record: Values, schema: Rules, names: readonly string[]): Values {
  const after: Values = structuredClone(record);
  for (const path of names) {
    const parts = path.split('.');
    const name = parts.pop() ?? '';
    const [holder, inner] = parts.reduce<[Values, Rules]>(
      ([values, rules], part) => [values[part] as Values, rules.properties?.[part] ?? {}],
      [after, schema],
    );
    holder[name] = another(holder[name], inner.properties?.[name]);
  }
  return after;
}

interface Try {
  endpoint: Endpoint;
  params: object;
  read(query: object): Promise<Values>;
  put(body: unknown, headers?: Record<string, string>): ReturnType<typeof call>;
}

await owner.admin.ok(savePayoutSettings, { body: settings });
await owner.admin.ok(savePaymentProvider, { body: { name: 'Northwind Payments', active: true } });
await owner.admin.ok(savePartnerConnection, {
  body: { url: 'http://127.0.0.1:9/', active: true },
});
const tries: Try[] = [];
for (const endpoint of routes) {
  const hasRecord = endpoint.contract.path.includes('{');
  const params = hasRecord ? (await newRecordFor(endpoint, owner)).real : {};
  const reader = readerOf(endpoint);
  const within = Object.fromEntries(
    Object.entries(params).filter(([name]) => reader.contract.path.includes(`{${name}}`)),
  );
  tries.push({
    endpoint,
    params,
    read: async (query) => {
      const wanted = parameters(reader).has('all') ? { ...query, all: true } : query;
      const found = (await owner.admin.ok(reader, { params: within, query: wanted })) as Values;
      const list = Array.isArray(found) ? found : found.data;
      const id = String(Object.values(params).at(-1));
      if (reader.contract.path === endpoint.contract.path) return found;
      const listed = (list as Values[]).find((one) => String(one.id) === id);
      if (!listed) throw new Error(`${nameOf(reader.contract)} does not list ${id}`);
      return listed;
    },
    put: (body, headers = owner.admin.headers) =>
      call(endpoint, { params, rawBody: JSON.stringify(body), headers }),
  });
}
await drain();

test('every PUT and PATCH is tested here, except those that set one property', () => {
  const others = replacing.filter((endpoint) => !routes.includes(endpoint));
  expect(others.map(({ contract }) => nameOf(contract)).sort()).toEqual([...ofOneThing].sort());
  const moving = routes.flatMap((one) =>
    readOnly(one, 'ignored').map((field) => `${nameOf(one.contract)} ${field}`),
  );
  expect(moving).toEqual(ignored);
});

describe.each(tries.map((one) => [nameOf(one.endpoint.contract), one] as const))('%s', (_, one) => {
  const { contract } = one.endpoint;
  const schema = replacedRecord(contract) as Rules;

  test('accepts the response of GET, revealed and redacted, and changes nothing', async () => {
    const reveals = parameters(readerOf(one.endpoint)).has('reveal');
    for (const query of reveals ? [{ reveal: true }, { reveal: false }] : [{}]) {
      const before = await one.read(query);
      // Processing the events may add entries to the audit log.
      await drain();
      const { status, body } = await one.put(before);
      expect([status, body]).toEqual([200, expect.anything()]);
      const { auditLog: _, ...after } = await one.read(query);
      expect(before).toMatchObject(after);
    }
  });

  test('reports each read-only field whose value differs', async () => {
    const names = readOnly(one.endpoint, 'compared');
    const { status, body } = await one.put(changed(await one.read({}), schema, names));
    const named = body.details?.map(({ field }) => field) ?? [];
    const unnamed = names.filter(
      (name) => !named.some((field) => field === name || field.startsWith(`${name}.`)),
    );
    expect([status, body.error, unnamed]).toEqual([400, 'invalid_input', []]);
    expect(names.length).toBeGreaterThan(0);
  });
});

describe('a caller who may not make a change', () => {
  const refusals = async (one: Try, headers: Record<string, string>) => {
    const { contract } = one.endpoint;
    const record = await one.read({});
    const guessed = changed(record, replacedRecord(contract) as Rules, readOnly(one.endpoint, 'compared'));
    const [right, wrong] = [await one.put(record, headers), await one.put(guessed, headers)];
    return [right, wrong].map(({ status, body }) => `${status} ${body.error}`);
  };

  test('gets the same error for right and wrong values of read-only fields', async () => {
    const refused: string[] = [];
    for (const one of tries) {
      const { contract } = one.endpoint;
      const { client: by } = await member(owner, [...permissionsOf(contract)]);
      const [right = '', wrong] = await refusals(one, by.headers);
      // Other callers may make the change, but may not send fields that they cannot read.
      if (/^(200|400 invalid_input)/.test(right)) continue;
      refused.push(`${nameOf(contract)} ${right}`);
      expect.soft(wrong, nameOf(contract)).toBe(right);
    }
    expect(refused).toEqual([
      'PATCH /account-types/{id} 403 administrator_only',
      'PATCH /accounts/{id} 403 administrator_only',
      'PATCH /apikeys/{id} 403 holds_more',
      'PATCH /extapi/applications/{externalId} 404 not_found',
      'PUT /lookup/{table}/{field}/id/{id} 403 administrator_only',
      'PATCH /mail-addresses/{id} 403 administrator_only',
      'PATCH /notifications/{id} 404 not_found',
      'PUT /provisioning 403 administrator_only',
      'PATCH /roles/{id} 403 holds_more',
      'PATCH /sso-connections/{id} 403 administrator_only',
      'PUT /users/{email}/notification-preferences 403 administrator_only',
      'PATCH /users/{email} 403 administrator_only',
      'PATCH /views/{id} 403 permission_denied',
    ]);
  });

  test('cannot find out the fields of a submitted application', async () => {
    const { admin } = await tenant();
    const { id: applicationId } = await admin.ok(createApplication, { body: filledApplication });
    await admin.ok(submitApplication, { params: { applicationId } });
    const bodies = [{ createdBy: 'guess@example.com' }, {}].map((readOnly) => ({
      repcode: 'R-1',
      ...readOnly,
    }));
    for (const body of bodies) {
      const response = await admin.call(updateApplication, {
        params: { applicationId },
        rawBody: JSON.stringify(body),
      });
      expect([response.status, response.body.error]).toEqual([400, 'application_not_pending']);
    }
  });
});

test('a right and a wrong guess of the risk score get the same error from an applicant, and for a submitted application', async () => {
  const application = await owner.admin.ok(createApplication, { body: filledApplication });
  const params = { applicationId: application.id };
  const { score } = await owner.admin.ok(assessRisk, { params });
  const { client: writer } = await member(owner, ['writeApplications']);
  const { appKey } = application.system;
  const merchant = applicant({ appKey, acctId: owner.accountId });
  const errorsFor = (by: Client) =>
    Promise.all(
      [score, score + 1].map(async (guess) => {
        const rawBody = JSON.stringify({ admin: { risk: { score: guess } } });
        const { status, body } = await by.call(updateApplication, { params, rawBody });
        return [status, body.error, body.details?.map(({ field }) => field)];
      }),
    );
  const unreadable = [400, 'invalid_input', ['admin']];
  expect(await errorsFor(merchant)).toEqual([unreadable, unreadable]);
  await owner.admin.ok(submitApplication, { params });
  const submitted = [400, 'application_not_pending', undefined];
  for (const by of [merchant, writer]) expect(await errorsFor(by)).toEqual([submitted, submitted]);
});

test('null clears every optional field of a record, with a few exceptions', () => {
  const fixed = routes.flatMap(({ contract }) => {
    const { properties = {} } = contract.body as Rules;
    const schema = replacedRecord(contract) as Rules & { required?: string[] };
    return Object.entries(properties)
      .filter(([name, { type = [] }]) => {
        const optional = schema.properties?.[name] && !schema.required?.includes(name);
        // Null clears a single custom field, not customFields as a whole.
        return optional && name !== 'customFields' && ![type].flat().includes('null');
      })
      .map(([name]) => `${nameOf(contract)} ${name}`);
  });
  expect(fixed).toEqual(kept);
});

test('null removes the rotation of a ticket type', async () => {
  const userRotationArray = [{ userId: owner.adminEmail, weight: 1 }];
  const { uniqueId: rotationId } = await owner.admin.ok(createTicketRotation, {
    body: { name: 'Terminal faults', userRotationArray },
  });
  const body = { name: 'Fault', description: 'Of a terminal', category: 'technical', rotationId } as const;
  const { id } = await owner.admin.ok(createTicketType, { body });
  const shown = await owner.admin.ok(readTicketType, { params: { id: String(id) } });
  expect(shown.rotationId).toBe(rotationId);
  const cleared = await owner.admin.ok(replaceTicketType, {
    params: { id: String(id) },
    body: { ...shown, rotationId: null },
  });
  expect(cleared).not.toHaveProperty('rotationId');
});

test('read-only fields are rejected, even with their current values, if the caller may not read them', async () => {
  const lead = await owner.admin.ok(createLead, {
    query: { skipTeamAndSourceRequirement: true },
    body: { firstName: 'Ada', lastName: 'Byron' },
  });
  const application = await owner.admin.ok(createApplication, { body: {} });
  const merchant = await owner.admin.ok(createMerchant, { body: { merchantName: 'Harbor' } });
  await drain();
  const { client } = await member(owner, ['writeLeads', 'writeApplications', 'writeMerchants']);
  const fieldsOfRefusal = async (endpoint: Endpoint, params: object, body: object) =>
    (
      await call(endpoint, { params, rawBody: JSON.stringify(body), headers: client.headers })
    ).body.details?.map(({ field }) => field);
  const { auditLog } = await owner.admin.ok(readLead, { params: { leadId: lead.id } });
  expect(auditLog.length).toBe(1);
  expect(await fieldsOfRefusal(updateLead, { leadId: lead.id }, { auditLog })).toEqual(['auditLog']);
  const { appKey } = application.system;
  expect(
    await fieldsOfRefusal(updateApplication, { applicationId: application.id }, { system: { appKey } }),
  ).toEqual(['system.appKey']);
  expect(
    await fieldsOfRefusal(updateMerchant, { merchantId: merchant.id }, { totals: { notes: 0 } }),
  ).toEqual(['totals']);
});
