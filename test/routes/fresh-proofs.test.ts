import { beforeEach, describe, expect, test } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { changes, proofsOf } from '../../shared/endpoints/contract.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import type { EventKind, Happening } from '../../shared/resources/registry.ts';
import type { TSchema } from '../../shared/schema.ts';
import { REDACTED } from '../../shared/security/merge-fields.ts';
import { freshMilliseconds, type Purpose } from '../../shared/security/proofs.ts';
import { call } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { provesAgain } from '../harness/member.ts';
import { tenant } from '../harness/tenant.ts';
import { expectHappy, type HappyPath, happyPath } from './happy-paths.ts';
import { nameOf } from './records.ts';

const endpoints = (await loadEndpoints()).map(({ endpoint }) => endpoint);
const owner = await tenant();
const proving = endpoints.filter(({ contract }) => proofsOf(contract).length > 0);

interface Marked {
  'x-redacts'?: 'sensitive' | 'credential';
  properties?: Record<string, Marked>;
  items?: Marked;
  anyOf?: Marked[];
  patternProperties?: Record<string, Marked>;
}

/** Returns all schemas inside a schema, with itself. */
const within = (schema: Marked): Marked[] => [
  schema,
  ...[
    ...Object.values(schema.properties ?? {}),
    ...Object.values(schema.patternProperties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(schema.anyOf ?? []),
  ].flatMap(within),
];

const marksIn = (response: TSchema): Set<string | undefined> =>
  new Set(within(response as Marked).map((one) => one['x-redacts']));

/** The routes whose responses can contain a sensitive value or a credential, and that need no proof. */
const without: Readonly<Record<string, string>> = {
  // The responses of these routes always contain REDACTED. The test below checks this.
  'POST /applications/{applicationId}/decision': 'redacted',
  'DELETE /applications/{applicationId}': 'redacted',
  'PUT /applications/{applicationId}/owner': 'redacted',
  'PUT /applications/{applicationId}/participants': 'redacted',
  'POST /applications/{applicationId}/partner-submission': 'redacted',
  'PATCH /applications/{applicationId}/underwriting': 'redacted',
  'POST /leads/{leadId}/convert': 'redacted',
  'POST /merchants': 'redacted',
  'POST /applications': 'redacted, except for the appKey of the new application',
  // These links are valid for a few minutes.
  'POST /applications/{applicationId}/documents': 'a link for an upload',
  'POST /billing/bank-statements': 'a link for an upload',
  'POST /residual-files': 'a link for an upload',
  'POST /extapi/applications/{externalId}/documents': 'a link for an upload',
  'POST /merchants/{merchantId}/documents': 'a link for an upload',
  'POST /tickets/{ticketId}/documents': 'a link for an upload',
  'GET /applications/{applicationId}/documents/{documentId}/link': 'a link to one file, recorded in an event',
  'GET /merchants/{merchantId}/documents/{documentId}/link': 'a link to one file, recorded in an event',
  'GET /tickets/{ticketId}/documents/{documentId}/link': 'a link to one file, recorded in an event',
  'GET /mails/{mailId}/raw': 'a link to one file, recorded in an event',
  'POST /auth/login': 'is itself a proof',
  'POST /auth/login/verify': 'is itself a proof',
  'POST /auth/step-up': 'is itself a proof',
  'POST /auth/login/passkey': 'begins a proof',
  'POST /auth/sso/exchange': 'is itself a proof, if the provider names its time',
  'GET /auth/session': 'the token that the request has sent',
  // The field `token` of a user is only in the responses of logins.
  'GET /users/{email}': 'no token',
  'DELETE /users/{email}': 'no token',
  'DELETE /users/{email}/accounts/{accountId}': 'no token',
};

test('every route that can show a sensitive value or a credential needs a fresh proof, or is a listed exception', () => {
  const open = endpoints
    .filter(({ contract }) => proofsOf(contract).length === 0)
    .filter(({ contract }) => [...marksIn(contract.response)].some((mark) => mark !== undefined))
    .map(({ contract }) => nameOf(contract));
  expect(open.sort()).toEqual(Object.keys(without).sort());
});

/** The events of changes and disclosures that need a fresh proof, with the purpose. */
const provedEvents: Partial<Record<EventKind | Happening, Purpose>> = {
  application_sensitive_data_revealed: 'reveal',
  event_request_body_revealed: 'reveal',
  event_response_body_revealed: 'reveal',
  api_key_created: 'keys',
  user_created: 'rights',
  user_added_to_account: 'rights',
  user_roles_updated: 'rights',
  user_permissions_set_directly: 'rights',
  role_created: 'rights',
  role_permissions_updated: 'rights',
  provisioning_updated: 'rights',
  sso_connection_created: 'rights',
  sso_connection_updated: 'rights',
  sso_connection_deleted: 'rights',
  sso_identity_unlinked: 'factors',
  account_type_created: 'rights',
  account_type_updated: 'rights',
  admin_force_set_password: 'factors',
  factor_added: 'factors',
  factor_removed: 'factors',
  factor_reset: 'factors',
  recovery_codes_renewed: 'factors',
  bank_account_created: 'bank_data',
  bank_account_updated: 'bank_data',
  bank_account_deleted: 'bank_data',
  payout_account_created: 'bank_data',
  payout_account_updated: 'bank_data',
  payout_account_deleted: 'bank_data',
  payout_settings_created: 'bank_data',
  payout_settings_updated: 'bank_data',
  payout_created: 'bank_data',
  payout_downloaded: 'reveal',
  webhook_created: 'secrets',
  payment_provider_created: 'secrets',
  payment_provider_secret_rotated: 'secrets',
  partner_connection_created: 'secrets',
  partner_connection_secret_rotated: 'secrets',
  user_impersonated: 'impersonation',
  account_deleted: 'deletion',
};

/** The fields of requests that need a fresh proof, with the purpose. */
const provedFields: Readonly<Record<string, Purpose>> = {
  accountAdmin: 'rights',
  roles: 'rights',
  permissions: 'rights',
  flatPermissionsList: 'rights',
  managerIds: 'rights',
  parentTeamId: 'rights',
  mfa: 'rights',
  proofNeedsFactor: 'rights',
  impersonationForbidden: 'rights',
  bankAccount: 'bank_data',
  bankRouting: 'bank_data',
  accountNumber: 'bank_data',
  routingNumber: 'bank_data',
};

/** Routes that need another proof, or none. */
const others: Readonly<Record<string, string>> = {
  'POST /accounts': 'The rights are those of a new account.',
  'POST /merchants': 'The bank data is that of a new record.',
  'POST /applications': 'The bank data is that of a new record.',
  'POST /billing/bank-statements': 'The body names a bank account.',
  'POST /invoices/bank-statements': 'The body names a bank account.',
  'POST /apikeys': 'The rights are those of a new key, which has a proof of its own.',
};

const fieldsOf = (schema: Marked): string[] =>
  within(schema).flatMap(({ properties = {} }) => Object.keys(properties));

test('every route that makes a sensitive change needs a fresh proof for it', () => {
  const lacking = endpoints.flatMap(({ contract }) => {
    const { emits = [], happenings = [], access, body = {} } = contract;
    const purposes: (string | undefined)[] = proofsOf(contract).map(({ purpose }) => purpose);
    const needed = [
      ...[...emits, ...happenings].map((kind) => [kind, provedEvents[kind]]),
      ...(changes(contract) ? fieldsOf(body as Marked).map((name) => [name, provedFields[name]]) : []),
    ].flatMap(([name, purpose]) => (purpose && !purposes.includes(purpose) ? [name] : []));
    const route = nameOf(contract);
    return needed.length > 0 && access !== 'public' && !(route in others) ? [`${route}: ${needed}`] : [];
  });
  expect(lacking).toEqual([]);
});

test('exports and secrets of webhooks need a fresh proof, although they emit no event of their own', () => {
  const purposeOf = (route: string) =>
    proofsOf(proving.find(({ contract }) => nameOf(contract) === route)?.contract ?? {}).map(
      ({ purpose }) => purpose,
    );
  expect(purposeOf('GET /accounts/{id}/export')).toEqual(['export']);
  expect(purposeOf('POST /webhooks/{id}/rotate-secret')).toEqual(['secrets']);
  expect(purposeOf('PATCH /apikeys/{id}/permissions')).toEqual(['rights']);
});

/** Calls an endpoint in the session of a happy path, after the last proof of this session is made old. */
async function callStale(endpoint: Endpoint, sent: HappyPath) {
  await provesAgain({ headers: sent.headers ?? {} }, new Date(clock.now().getTime() - freshMilliseconds));
  return call(endpoint as Endpoint<Record<string, never>>, sent as object);
}

/** Fields that need the proof, for the routes whose example has none of them. */
const fields: Readonly<Record<string, object>> = {
  'PATCH /extapi/applications/{externalId}': { businessBanking: { bankAccount: '000123456789' } },
  'PUT /merchants/{merchantId}': { banking: { accountNumber: '000123456789' } },
  'POST /teams': { managerIds: [] },
  'PATCH /teams/{id}': { managerIds: [] },
  'POST /users': { roles: [] },
};

/** Returns a request that shows or changes what needs the proof. */
function asking({ contract }: Endpoint, { body, ...sent }: HappyPath): HappyPath {
  const flags = proofsOf(contract).flatMap(({ ifQuery }) => (ifQuery ? [[ifQuery, true]] : []));
  const added = fields[nameOf(contract)];
  return {
    ...sent,
    query: { ...sent.query, ...Object.fromEntries(flags) },
    ...(body !== undefined && { body: added ? { ...body, ...added } : body }),
  };
}

describe('a session whose proof is older than ten minutes', () => {
  beforeEach(() => provesAgain(owner.admin));

  // An export exists only after the deletion of an account, which takes minutes.
  test.each(
    proving
      .filter(({ contract }) => nameOf(contract) !== 'GET /accounts/{id}/export')
      .map((endpoint) => ({ endpoint, route: nameOf(endpoint.contract) })),
  )('gets step_up_required from $route, and its success with a new proof', async ({ endpoint }) => {
    const sent = asking(endpoint, await happyPath(endpoint, owner));
    const { status, body } = await callStale(endpoint, sent);
    const { stepUp, error } = body as { error?: string; stepUp?: { purpose: Purpose } };
    expect({ status, error }, JSON.stringify(sent.body)).toEqual({ status: 403, error: 'step_up_required' });
    // The errors of SCIM have no further fields.
    if (!endpoint.contract.scim)
      expect(proofsOf(endpoint.contract).map(({ purpose }) => purpose)).toContain(stepUp?.purpose);
    await provesAgain({ headers: sent.headers ?? {} });
    expectHappy(endpoint, await call(endpoint as Endpoint<Record<string, never>>, sent as object));
  });

  const showing = endpoints.filter(
    ({ contract }) =>
      marksIn(contract.response).has('sensitive') &&
      proofsOf(contract).every(({ ifQuery, ifBody }) => ifQuery || ifBody),
  );

  test.each(showing.map((endpoint) => ({ endpoint, route: nameOf(endpoint.contract) })))(
    'gets only REDACTED from $route',
    async ({ endpoint }) => {
      const sent = await happyPath(endpoint, owner);
      const response = await callStale(endpoint, withoutBankData(endpoint, sent));
      expectHappy(endpoint, response);
      expect(shownBy(response.body, endpoint.contract.response as Marked)).toEqual([]);
    },
  );
});

/** Removes the fields that need a proof of another purpose. */
function withoutBankData({ contract }: Endpoint, { body, ...sent }: HappyPath): HappyPath {
  const named = proofsOf(contract).flatMap(({ ifBody = [] }) =>
    ifBody.map((path) => path.split('.')[0] ?? ''),
  );
  const kept = Object.entries(Object(body)).filter(([name]) => !named.includes(name));
  return body === undefined ? sent : { ...sent, body: Object.fromEntries(kept) };
}

/** Returns the sensitive values in a response that are not REDACTED. */
function shownBy(value: unknown, schema: Marked): unknown[] {
  if (value === null || value === undefined) return [];
  if (schema['x-redacts'] === 'sensitive') return value === REDACTED ? [] : [value];
  if (Array.isArray(value)) return value.flatMap((item) => shownBy(item, schema.items ?? {}));
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => shownBy(inner, schema.properties?.[name] ?? {}));
}
