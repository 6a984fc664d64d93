import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import createApplication from '../functions/applications/create-application.ts';
import submitApplication from '../functions/applications/submit-application.ts';
import updateApplication from '../functions/applications/update-application.ts';
import createLookupOption from '../functions/lookups/create-lookup-option.ts';
import updateLookupOption from '../functions/lookups/update-lookup-option.ts';
import createTicketRotation from '../functions/ticket-rotations/create-ticket-rotation.ts';
import updateTicketRotation from '../functions/ticket-rotations/update-ticket-rotation.ts';
import bulkTickets from '../functions/tickets/bulk-tickets.ts';
import { loadEndpoints } from '../infra/build/endpoints.ts';
import { openApiDocument } from '../infra/openapi/document.ts';
import { mintAppKey } from '../shared/security/app-keys.ts';
import { applicant } from './harness/applicant.ts';
import type { CallResponse } from './harness/call.ts';
import { member } from './harness/member.ts';
import { client, tenant } from './harness/tenant.ts';

/**
 * The errors that the API documents for applications, lookups, ticket bulks and ticket rotations, each caused on
 * purpose.
 */

const acme = await tenant();
const { admin, key } = acme;
const simple = (await member(acme)).client;
const stranger = client({ 'x-account-id': acme.accountId });

const made = await admin.ok(createApplication, { body: {} });
const submitted = await admin.ok(createApplication, { body: {} });
await admin.ok(submitApplication, { params: { applicationId: submitted.id } });
const patch = (by: typeof admin, applicationId = made.id) =>
  by.call(updateApplication, { params: { applicationId }, body: { repcode: 'R-17' } });

const field = { table: 'merchant', field: 'category' };
const { lookupValue } = await admin.ok(createLookupOption, { params: field, body: { value: 'restaurant' } });
const put = (by: typeof admin, sent: { id?: number; body?: object } = {}) =>
  by.call(updateLookupOption, {
    params: { ...field, id: sent.id ?? lookupValue.id },
    body: sent.body ?? { text: 'Restaurant' },
  });

const rotation = await admin.ok(createTicketRotation, {
  body: { name: 'Faults', userRotationArray: [{ userId: acme.adminEmail, weight: 1 }] },
});
const rotate = (by: typeof admin, body: object = { name: 'Others' }, id: string = rotation.uniqueId) =>
  by.call(updateTicketRotation, { params: { id }, body });

const writer = (await member(acme, ['readTickets', 'writeTickets'])).client;
const bulk = (by: typeof admin, body: object = { action: 'add_tag', payload: { tag: 'pos' } }) =>
  by.call(bulkTickets, { rawBody: JSON.stringify({ ticketIds: ['tkt_1'], ...body }) });

/** The response of a call while the table is unavailable. */
async function withoutTable<T>(run: () => Promise<T>): Promise<T> {
  const { TABLE_NAME } = process.env;
  process.env.TABLE_NAME = 'merchant-ops-gone';
  try {
    return await run();
  } finally {
    process.env.TABLE_NAME = TABLE_NAME;
  }
}

const wrongKey = { appKey: mintAppKey(), acctId: acme.accountId };
const failures: [string, number, string, () => Promise<CallResponse<unknown>>][] = [
  ['PATCH /applications/{applicationId}', 400, 'already submitted', () => patch(admin, submitted.id)],
  ['PATCH /applications/{applicationId}', 401, 'not authenticated', () => patch(stranger)],
  ['PATCH /applications/{applicationId}', 401, 'no valid appKey', () => patch(applicant(wrongKey))],
  ['PATCH /applications/{applicationId}', 403, 'lacks the permission', () => patch(simple)],
  ['PATCH /applications/{applicationId}', 404, 'no such application', () => patch(admin, randomUUID())],
  [
    'PATCH /applications/{applicationId}',
    500,
    'internal server error',
    () => withoutTable(() => patch(admin)),
  ],
  [
    'PUT /lookup/{table}/{field}/id/{id}',
    400,
    'invalid input',
    () => put(admin, { body: { is_active: 'yes' } }),
  ],
  ['PUT /lookup/{table}/{field}/id/{id}', 401, 'not authenticated', () => put(stranger)],
  ['PUT /lookup/{table}/{field}/id/{id}', 403, 'a key is no administrator', () => put(key)],
  ['PUT /lookup/{table}/{field}/id/{id}', 404, 'no lookup value with this id', () => put(admin, { id: 1 })],
  ['PUT /lookup/{table}/{field}/id/{id}', 500, 'internal server error', () => withoutTable(() => put(admin))],
  ['POST /tickets/bulk', 400, 'invalid action', () => bulk(admin, { action: 'close', payload: {} })],
  ['POST /tickets/bulk', 400, 'invalid payload', () => bulk(admin, { action: 'add_tag', payload: {} })],
  ['POST /tickets/bulk', 401, 'not authenticated', () => bulk(stranger)],
  ['POST /tickets/bulk', 403, 'no permission for bulk operations', () => bulk(writer)],
  ['POST /tickets/bulk', 500, 'internal server error', () => withoutTable(() => bulk(admin))],
  ['PATCH /ticket-rotations/{id}', 400, 'invalid status', () => rotate(admin, { status: 'asleep' })],
  [
    'PATCH /ticket-rotations/{id}',
    400,
    'empty userRotationArray',
    () => rotate(admin, { userRotationArray: [] }),
  ],
  [
    'PATCH /ticket-rotations/{id}',
    400,
    'invalid weights',
    () => rotate(admin, { userRotationArray: [{ userId: acme.adminEmail, weight: 11 }] }),
  ],
  [
    'PATCH /ticket-rotations/{id}',
    400,
    'non-existent users',
    () => rotate(admin, { userRotationArray: [{ userId: 'nobody@example.com', weight: 1 }] }),
  ],
  [
    'PATCH /ticket-rotations/{id}',
    400,
    'invalid ticket type',
    () => rotate(admin, { ticketTypeId: 'tty_1' }),
  ],
  ['PATCH /ticket-rotations/{id}', 401, 'not authenticated', () => rotate(stranger)],
  ['PATCH /ticket-rotations/{id}', 403, 'lacks the permission', () => rotate(simple)],
  ['PATCH /ticket-rotations/{id}', 404, 'no such rotation', () => rotate(admin, {}, 'rot_1')],
  ['PATCH /ticket-rotations/{id}', 500, 'internal server error', () => withoutTable(() => rotate(admin))],
];

const document = openApiDocument(
  (await loadEndpoints()).map(({ name, endpoint }) => ({ name, contract: endpoint.contract })),
);

test.each(failures)('%s responds with %i as documented: %s', async (route, status, _, fail) => {
  const { status: answered, body } = await fail();
  expect(answered, JSON.stringify(body)).toBe(status);
  expect(body).toMatchObject({ error: expect.any(String), status, message: expect.any(String) });
  const [method = '', path = ''] = route.split(' ');
  expect(document.paths[path]?.[method.toLowerCase()]?.responses).toHaveProperty(String(status));
});
