import { expect, test } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { exampleOf } from '../../infra/openapi/example.ts';
import { call } from '../harness/call.ts';
import { tenant } from '../harness/tenant.ts';
import { expectHappy, happyPath } from './happy-paths.ts';
import { nameOf } from './records.ts';

const all = await loadEndpoints();
const routes = all
  .filter(({ endpoint }) => endpoint.contract.body)
  .map(({ endpoint }) => ({ route: nameOf(endpoint.contract), endpoint }));

/** The fields that name a record, a credential or a recent time. The test replaces their examples by real values. */
const replaced: Record<string, readonly string[]> = {
  'POST /invoices': ['customerId'],
  'POST /accounts': ['accountTypeId'],
  'PUT /accounts/{id}/type': ['accountTypeId'],
  'POST /accounts/{id}/move': ['parentAccountId'],
  'POST /auth/login': ['apiKey', 'apiSecret', 'email', 'password'],
  'POST /auth/login/verify': ['challenge', 'code'],
  'POST /auth/factors/{factorId}/confirm': ['code'],
  'POST /auth/sso/exchange': ['code', 'codeVerifier', 'invitationToken'],
  'POST /auth/sso/logout/{accountId}/{connectionId}': ['logout_token'],
  // A connection has a secret or a private key, its domains are proved, and its roles exist.
  'POST /sso-connections': ['privateKey', 'domains', 'defaultRoles', 'roleMappings', 'enforced'],
  'PATCH /sso-connections/{id}': ['privateKey', 'domains', 'defaultRoles', 'roleMappings'],
  'POST /auth/password': ['currentPassword'],
  'POST /auth/password-reset': ['token'],
  'POST /auth/step-up': ['password'],
  'POST /integrations/partner/ticket-type-mappings': ['serviceTicketTypeId'],
  'PUT /integrations/partner/ticket-type-mappings/{id}': ['serviceTicketTypeId'],
  'PUT /integrations/partner/connection': ['defaultTicketTypeId'],
  'POST /billing/unmatched-payments/{unmatchedId}/assign': ['invoiceId'],
  'POST /lead-rotations': ['userRotationArray'],
  'PATCH /lead-rotations/{id}': ['userRotationArray'],
  'POST /ticket-rotations': ['userRotationArray'],
  'POST /ticket-rotations/{id}/simulate': ['userRotationArray'],
  'PATCH /ticket-rotations/{id}': ['userRotationArray'],
  'POST /reassignments': ['from'],
  'PUT /leads/{leadId}/participants': ['participants'],
  'PUT /applications/{applicationId}/owner': ['ownerId', 'teamId'],
  'PUT /applications/{applicationId}/participants': ['participants'],
  'PUT /merchants/{merchantId}/owner': ['ownerId', 'teamId'],
  'PUT /merchants/{merchantId}/participants': ['participants'],
  'PUT /tickets/{ticketId}/participants': ['participants'],
  // A mail attaches documents of its record, and the setting names an address of the account.
  'POST /tickets/{ticketId}/mails': ['documentIds'],
  'POST /applications/{applicationId}/mails': ['documentIds'],
  'PATCH /accounts/{id}': ['mail'],
  'POST /mail-addresses': ['address', 'teamId', 'ticketTypeId'],
  'POST /mails/{mailId}/move': ['recordType', 'recordId'],
  'PUT /users/{email}/roles': ['roles'],
  'POST /users/{email}/accounts/{accountId}/membership': ['token'],
  'PUT /scim/v2/Users/{id}': ['userName'],
  'POST /webhooks/{id}/recover': ['since', 'until'],
  'POST /residual-agreements': ['beneficiary', 'scope', 'overrides'],
  'PATCH /residual-agreements/{id}': ['overrides'],
  'POST /residual-agreements/rehearse': ['agreement'],
  'POST /residual-adjustments': ['beneficiary'],
  'POST /residual-runs': ['processors'],
  'POST /residual-statements/approve': ['statementIds'],
  'POST /residual-payouts': ['month', 'statementIds', 'effectiveDate'],
  'POST /residual-payouts/returns': ['fileContent'],
};

test.each(routes)(
  '$route accepts the example of its body in the OpenAPI document',
  async ({ route, endpoint }) => {
    const request = await happyPath(endpoint, await tenant());
    const example = exampleOf(endpoint.contract.body ?? {}, 'request');
    const body = structuredClone(example) as Record<string, unknown>;
    const real = (request.body ?? {}) as Record<string, unknown>;
    for (const field of replaced[route] ?? []) {
      delete body[field];
      if (real[field] !== undefined) body[field] = real[field];
    }
    const response = await call(endpoint, { ...request, body });
    expect(response.status, JSON.stringify(response.body)).toBeLessThan(300);
    expectHappy(endpoint, response);
  },
);

test('the table of replaced fields contains only routes that have a body', () => {
  const known: string[] = routes.map(({ route }) => route);
  expect(Object.keys(replaced).filter((route) => !known.includes(route))).toEqual([]);
});
