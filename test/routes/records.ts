import startBodyCapture from '../../functions/accounts/start-body-capture.ts';
import stopBodyCapture from '../../functions/accounts/stop-body-capture.ts';
import completeApplicationDocument from '../../functions/applications/complete-application-document.ts';
import createBankStatement from '../../functions/billing/create-bank-statement.ts';
import saveBankAccount from '../../functions/billing/save-bank-account.ts';
import listEvents from '../../functions/events/list-events.ts';
import completeExternalDocument from '../../functions/extapi/complete-external-document.ts';
import createTicketTypeMapping from '../../functions/integrations/create-ticket-type-mapping.ts';
import createInvoice from '../../functions/invoices/create-invoice.ts';
import openInvoice from '../../functions/invoices/open-invoice.ts';
import recordPayment from '../../functions/invoices/record-payment.ts';
import createLead from '../../functions/leads/create-lead.ts';
import createLookupOption from '../../functions/lookups/create-lookup-option.ts';
import completeMerchantDocument from '../../functions/merchants/complete-merchant-document.ts';
import createEquipment from '../../functions/merchants/create-equipment.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import createNote from '../../functions/merchants/create-note.ts';
import createReassignment from '../../functions/reassignments/create-reassignment.ts';
import createTicketType from '../../functions/ticket-types/create-ticket-type.ts';
import bulkTickets from '../../functions/tickets/bulk-tickets.ts';
import completeTicketDocument from '../../functions/tickets/complete-ticket-document.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import createUnderwritingRule from '../../functions/underwriting-rules/create-underwriting-rule.ts';
import createUser from '../../functions/users/create-user.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import type { EndpointFile } from '../../infra/build/endpoints.ts';
import { exampleOf } from '../../infra/openapi/example.ts';
import type { UnmatchedPayment } from '../../shared/billing/provider/schema.ts';
import { unmatchedPayments } from '../../shared/billing/provider/store.ts';
import type { InvoiceInput } from '../../shared/billing/schema.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import type { LoggedEvent } from '../../shared/events/schema.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { mintId } from '../../shared/id/mint.ts';
import { type DeliveryContent, deliveryId } from '../../shared/messaging/webhooks/delivery.ts';
import { emptyComparison } from '../../shared/sales/underwriting-rules/compare.ts';
import { finishTest } from '../../shared/sales/underwriting-rules/run-test.ts';
import type { RuleInput } from '../../shared/sales/underwriting-rules/schema.ts';
import { underwritingRules } from '../../shared/sales/underwriting-rules/store.ts';
import type { TicketInput } from '../../shared/support/tickets/schema.ts';
import { newRecord } from '../../shared/table/record-fields.ts';
import { authoredBy } from '../../shared/table/revise.ts';
import { transact } from '../../shared/table/transact.ts';
import { enqueueWrites } from '../../shared/work-queue/enqueue.ts';
import { webhookWorkQueue } from '../../shared/work-queue/keys.ts';
import { childAccount } from '../harness/child-account.ts';
import { clock } from '../harness/clock.ts';
import { storedFactor } from '../harness/factors.ts';
import { notify } from '../harness/notify.ts';
import { sealAll } from '../harness/seal-events.ts';
import type { Client, Tenant } from '../harness/tenant.ts';
import { describedFile, describedStatement, sendFile, statementFile, withFile } from './uploaded-document.ts';

type Params = Record<string, string | number>;

/** Path parameters of an existing and of an unknown record. */
interface Named {
  real: Params;
  nowhere: Params;
}

const lookupField = { table: 'merchant', field: 'category' };

/** An event with captured bodies. Capture is switched off again, so that it does not change the costs of other requests. */
async function capturedEvent({ accountId, admin }: Tenant): Promise<Named> {
  const account = { params: { id: accountId } };
  await admin.ok(startBodyCapture, { ...account, body: { days: 1 } });
  const body = { firstName: 'Ada', lastName: 'Byron' };
  const { id } = await admin.ok(createLead, { query: { skipTeamAndSourceRequirement: true }, body });
  await admin.ok(stopBodyCapture, account);
  const logged = await admin.ok(listEvents, { query: { kind: 'lead_created', subjectId: String(id) } });
  return { real: { id: Number(logged.data[0]?.id) }, nowhere: { id: unknownId } };
}

async function draftInvoice(owner: Tenant): Promise<Named> {
  const { id: invoiceId } = await owner.admin.ok(createInvoice, { body: await invoiceBody(owner) });
  return { real: { invoiceId }, nowhere: { invoiceId: unknownId } };
}

const ownAccount = ({ accountId }: Tenant) => ({ real: { id: accountId }, nowhere: { id: 'acc_nowhere' } });

/**
 * Records that are not created by a POST to their collection, by path prefix. The first matching prefix applies. Any
 * other path must have a collection with a POST.
 */
const special: Record<string, (owner: Tenant) => Named | Promise<Named>> = {
  '/lookup/{table}/{field}/id/{id}': async ({ admin }) => {
    const body = exampleBody(createLookupOption) as { value: string };
    const { lookupValue } = await admin.ok(createLookupOption, { params: lookupField, body });
    return { real: { ...lookupField, id: lookupValue.id }, nowhere: { ...lookupField, id: unknownId } };
  },
  // The lookup tables and their fields are the same in every account.
  '/lookup/{table}/{field}': () => ({ real: lookupField, nowhere: { table: 'no name', field: 'no name' } }),
  '/integrations/partner/ticket-type-mappings/{id}': async (owner) => {
    const { id } = await owner.admin.ok(createTicketTypeMapping, { body: await mappingBody(owner) });
    return { real: { id }, nowhere: { id: unknownId } };
  },
  '/merchants/{merchantId}/notes/{noteId}': (owner) => ofMerchant(owner, createNote, 'noteId'),
  '/merchants/{merchantId}/equipment/{equipmentId}': (owner) =>
    ofMerchant(owner, createEquipment, 'equipmentId'),
  '/merchants/{merchantId}/mids/{midId}': (owner) => ofMerchant(owner, createMid, 'midId'),
  '/tickets/bulk/{bulkId}': async (owner) => {
    const { bulkId } = await owner.admin.ok(bulkTickets, { body: await bulkBody(owner) });
    return { real: { bulkId }, nowhere: { bulkId: `bulk_${'0'.repeat(32)}` } };
  },
  '/events/{id}/request-body': capturedEvent,
  '/events/{id}/response-body': capturedEvent,
  '/events/{id}/proof': async ({ accountId }) => ({
    real: { id: await sealAll(accountId) },
    nowhere: { id: unknownId },
  }),
  '/events/{id}': async ({ admin }) => {
    const { data } = (await admin.ok(listEvents)) as { data: LoggedEvent[] };
    return { real: { id: data[0]?.id ?? 0 }, nowhere: { id: unknownId } };
  },
  '/notifications/{id}': async ({ accountId, adminEmail }) => ({
    real: { id: await notify({ account: accountId, email: adminEmail }) },
    nowhere: { id: unknownId },
  }),
  '/webhooks/{id}/deliveries/{did}': async ({ accountId, admin }) => {
    const { id } = await admin.ok(createWebhook, { body: unreachableWebhook });
    const now = clock.now();
    const content: DeliveryContent = { eventId: mintId(now), kind: 'webhook_test' };
    const expires = new Date(now.getTime() + 86_400_000);
    const workItem = { id: deliveryId(content.eventId), due: expires, content, expires };
    await transact(enqueueWrites(webhookWorkQueue(accountId, id), workItem, now), Date.now() + 60_000);
    return {
      real: { id, did: content.eventId },
      nowhere: { id: unknownId, did: unknownId },
    };
  },
  '/auth/factors/{factorId}': async ({ adminEmail }) => ({
    real: { factorId: await storedFactor(adminEmail) },
    nowhere: { factorId: unknownId },
  }),
  '/reassignments/{id}': async ({ admin }) => {
    const body = { email: `asleep.${unique()}@example.com`, active: false };
    const { id: from } = await admin.ok(createUser, { body });
    const { id } = await admin.ok(createReassignment, { body: { from: String(from), to: 'none' } });
    return { real: { id }, nowhere: { id: unknownId } };
  },
  '/underwriting-rules/{id}/tests/{testId}': async (owner) => ({
    real: await runningRuleTest(owner),
    nowhere: { id: unknownId, testId: unknownId },
  }),
  '/billing/bank-statements/{id}': async ({ admin }) => {
    const statement = await admin.ok(createBankStatement, { body: describedStatement });
    await sendFile(statement, statementFile);
    return { real: { id: statement.id }, nowhere: { id: unknownId } };
  },
  '/billing/provider/{accountId}': ({ accountId }) => ({
    real: { accountId },
    nowhere: { accountId: 'acc_nowhere' },
  }),
  '/billing/bank-accounts/{id}': async ({ admin }) => {
    const real = { id: `bank-${unique()}` };
    await admin.ok(saveBankAccount, { params: real, body: { name: 'Checking', currency: 'USD' } });
    return { real, nowhere: { id: 'nowhere' } };
  },
  '/billing/unmatched-payments/{unmatchedId}': async ({ accountId }) => ({
    real: { unmatchedId: await plantUnmatched(accountId) },
    nowhere: { unmatchedId: unknownId },
  }),
  '/invoices/{invoiceId}': draftInvoice,
  '/received-invoices/{invoiceId}': draftInvoice,
  '/webhooks/{id}': async ({ admin }) => {
    const { id } = await admin.ok(createWebhook, { body: unreachableWebhook });
    return { real: { id }, nowhere: { id: unknownId } };
  },
  '/integrations/partner/{accountId}': ({ accountId }) => ({
    real: { accountId },
    nowhere: { accountId: 'acc_nowhere' },
  }),
  '/accounts/{id}/body-capture': ownAccount,
  '/accounts/{id}/export': ownAccount,
  '/accounts/{id}/reopen': ownAccount,
  // The other routes below an account are about a child account of the account.
  '/accounts/{id}/': async (owner) => {
    const { accountId: id } = await childAccount(owner);
    return { real: { id }, nowhere: { id: 'acc_nowhere' } };
  },
  '/accounts/{id}': ownAccount,
};

/** An unused local address, which only the test stage allows. */
export const unreachableWebhook = { url: 'http://127.0.0.1:9/', events: [] };

/** A test of a new rule that continues in the background. */
export async function runningRuleTest({ accountId: account, admin, adminEmail: user }: Tenant) {
  const body = exampleBody(createUnderwritingRule) as RuleInput;
  const { id } = await admin.ok(createUnderwritingRule, { body });
  const rule = await underwritingRules.get(account, id);
  const period = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' };
  const test = { rule, period, state: emptyComparison(), next: 1 };
  const principal = { actor: { user, apiKey: null } };
  const { response, writes } = finishTest(test, { account, principal, now: new Date() });
  await transact(writes, Date.now() + 60_000);
  return { id, testId: response.testId ?? 0 };
}

/** The body of a mapping: a new category, and a ticket type of the owner. */
export async function mappingBody({ admin }: Tenant) {
  const body = { name: 'Terminal fault', description: 'It takes no cards', category: 'technical' } as const;
  const { uniqueId } = await admin.ok(createTicketType, { body });
  return { partnerCategoryId: Number(unique()), serviceTicketTypeId: uniqueId };
}

/** The body of an invoice to a new merchant. */
export async function invoiceBody({ admin }: Tenant): Promise<InvoiceInput> {
  const { id } = await admin.ok(createMerchant, { body: { merchantName: 'Harbor Street' } });
  return { ...(exampleBody(createInvoice) as InvoiceInput), customerId: String(id) };
}

/** Stores a notification of the payment provider that fits no invoice. */
export async function plantUnmatched(
  account: AccountId,
  more: Partial<UnmatchedPayment> = {},
): Promise<number> {
  const now = clock.now();
  const payment: UnmatchedPayment = {
    ...newRecord({ account, ...authoredBy('payment_provider', now) }),
    ...{ messageId: 'evt_17', notice: 'payment.received', reason: 'unknown_invoice' },
    ...{ occurredAt: now.toISOString(), invoiceNumber: 'INV-999999', amount: 10, currency: 'USD' },
    ...{ reference: `pi_${unique()}`, method: 'card' },
    ...more,
  };
  await transact(unmatchedPayments.insert(payment), Date.now() + 60_000);
  return payment.id;
}

/** Opens an invoice, and pays the given amount. */
export async function openWith({ admin }: Tenant, sent: object, amount?: number): Promise<void> {
  const params = sent as { invoiceId: number };
  await admin.ok(openInvoice, { params });
  const body = { amount: amount ?? 0, method: 'cash' as const, reference: 'first' };
  if (amount) await admin.ok(recordPayment, { params, body });
}

/** The body of a bulk operation on two tickets of the owner. */
export async function bulkBody({ admin }: Tenant) {
  const body = exampleBody(createTicket) as TicketInput;
  const made = [await admin.ok(createTicket, { body }), await admin.ok(createTicket, { body })];
  const ticketIds = made.map(({ uniqueId }) => uniqueId);
  return { ticketIds, action: 'change_status', payload: { status: 'in_progress' } } as const;
}

/** A child record of a merchant of the owner. */
async function ofMerchant(owner: Tenant, create: Endpoint, parameter: string): Promise<Named> {
  const { id: merchantId } = await owner.admin.ok(createMerchant, {
    body: { merchantName: 'Harbor Street' },
  });
  const sent = { params: { merchantId }, ...creationOf(create, owner) };
  const { id } = (await owner.admin.ok(create, sent)) as { id: unknown };
  return {
    real: { merchantId, [parameter]: Number(id) },
    nowhere: { merchantId: unknownId, [parameter]: unknownId },
  };
}

/** Input that a creation needs in addition to the example body. */
const additions: Record<string, (owner: Tenant) => Addition> = {
  'POST /leads': () => ({ query: { skipTeamAndSourceRequirement: true } }),
  'POST /lead-rotations': ({ adminEmail }) => ({
    body: { userRotationArray: [{ userId: adminEmail, weight: 1 }], currentPosition: 0 },
  }),
  'POST /ticket-rotations': ({ adminEmail }) => ({
    body: { userRotationArray: [{ userId: adminEmail, weight: 2 }], currentPosition: 0 },
  }),
  'POST /merchants/{merchantId}/mids': () => ({ body: { mid: `444501234${unique()}` } }),
  'POST /account-types': () => ({ body: { permissions: ['readLeads'], limits: { users: 5 } } }),
  'POST /roles': () => ({ body: { name: `Role ${unique()}` } }),
  'POST /applications/{applicationId}/documents': () => ({ body: describedFile }),
  'POST /merchants/{merchantId}/documents': () => ({ body: describedFile }),
  'POST /tickets/{ticketId}/documents': () => ({ body: describedFile }),
  'POST /extapi/leads': () => ({ body: { externalId: `L-${unique()}` } }),
  'POST /extapi/applications': () => ({ body: { externalId: `A-${unique()}` } }),
  'POST /extapi/applications/{externalId}/documents': () => ({ body: describedFile }),
  'POST /domains': () => ({ body: { domain: `pay${unique()}.example.com` } }),
  'POST /users': () => ({ body: { email: `dana.reyes.${unique()}@example.com` } }),
};

/** Steps that complete a created record. */
const completions: Record<string, (owner: Tenant, params: Params, record: unknown) => Promise<void>> = {
  'POST /applications/{applicationId}/documents': withFile(completeApplicationDocument),
  'POST /merchants/{merchantId}/documents': withFile(completeMerchantDocument),
  'POST /tickets/{ticketId}/documents': withFile(completeTicketDocument),
  'POST /extapi/applications/{externalId}/documents': withFile(completeExternalDocument),
};

interface Addition {
  query?: object;
  body?: object;
}

let made = 1000;

/** Four unused digits, so that items have the same size in every run. */
function unique(): string {
  made += 1;
  return String(made);
}

/** The largest possible id. Ids are based on the time, and no record gets this id before 2094. */
const unknownId = Number.MAX_SAFE_INTEGER;

/**
 * The part of a path that names a record: `/apikeys/{id}` of `/apikeys/{id}/permissions`, or the whole path of a child
 * record.
 */
const recordPath = (path: string, all: EndpointFile[]): string =>
  Object.keys(special).find((known) => path.startsWith(known)) ??
  [...path.matchAll(/\{\w+\}/g)]
    .map(({ index, 0: parameter }) => path.slice(0, index + parameter.length))
    .findLast((part, depth) => depth === 0 || makesOwnRecord(part, all)) ??
  '';

/**
 * Reports whether a POST creates the record at the end of the path. Returns false for memberships, because a
 * membership belongs to its user.
 */
const makesOwnRecord = (path: string, all: EndpointFile[]): boolean =>
  makerOf(path, all)?.contract.success === 'created' && !path.endsWith('/{accountId}');

/** The endpoint whose POST creates the record at the end of a path. */
const makerOf = (path: string, all: EndpointFile[]): Endpoint | undefined =>
  all.find(({ endpoint }) => nameOf(endpoint.contract) === `POST ${path.slice(0, path.lastIndexOf('/'))}`)
    ?.endpoint;

export const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

/** The required parameters of an endpoint's query, from the examples of its schema. */
export function requiredQuery({ contract }: Endpoint): Record<string, unknown> {
  const { required = [], properties = {} } = (contract.query ?? {}) as {
    required?: string[];
    properties?: Record<string, { examples?: unknown[] }>;
  };
  return Object.fromEntries(required.map((name) => [name, properties[name]?.examples?.[0]]));
}

/** The example body of a contract. */
export const exampleBody = ({ contract }: Endpoint): unknown =>
  contract.body && exampleOf(contract.body, 'request');

/** The client that creates a record: of the external API, a caller finds only the records that it sent. */
export const creatorOf = ({ admin, vendor = admin }: Tenant, path: string): Client =>
  path.startsWith('/extapi/') ? vendor : admin;

/** The request that creates a record of the owner. */
export function creationOf(create: Endpoint, owner: Tenant): Addition {
  const { query, body } = additions[nameOf(create.contract)]?.(owner) ?? {};
  return { query, body: { ...(exampleBody(create) as object), ...body } };
}

const kept = new Map<string, Promise<Named>>();

/** A record of the owner for an endpoint's path, cached. */
export function recordFor(endpoint: Endpoint, all: EndpointFile[], owner: Tenant): Promise<Named> {
  const path = `${owner.accountId} ${recordPath(endpoint.contract.path, all)}`;
  const record = kept.get(path) ?? newRecordFor(endpoint, all, owner);
  kept.set(path, record);
  return record;
}

/** Creates a record of the owner for an endpoint's path. Throws an error with instructions if that is not possible. */
export async function newRecordFor(
  { contract }: Endpoint,
  all: EndpointFile[],
  owner: Tenant,
): Promise<Named> {
  const path = recordPath(contract.path, all);
  const known = special[path];
  if (known) return known(owner);
  const [, collection = '', parameter = ''] = /^(.*)\/\{(\w+)\}$/.exec(path) ?? [];
  const create = makerOf(path, all);
  if (!create)
    throw new Error(
      `${nameOf(contract)}: no POST ${collection} creates a record for this route. ` +
        `Add one for '${path}' to the table \`special\` in test/routes/records.ts.`,
    );
  const none: Named = { real: {}, nowhere: {} };
  const parent = collection.includes('{') ? await newRecordFor(create, all, owner) : none;
  const sent = { params: parent.real, ...creationOf(create, owner) };
  const admin = creatorOf(owner, path);
  const record = (await admin.ok(create, sent)) as Record<string, unknown>;
  const value = record[parameter] ?? record.id;
  const named = (own: string | number, nowhereId: string | number): Named => ({
    real: { ...parent.real, [parameter]: own },
    nowhere: { ...parent.nowhere, [parameter]: nowhereId },
  });
  const names = /^\d+$/.test(String(value))
    ? named(Number(value), unknownId)
    : named(String(value), `nobody-${String(value)}`);
  await completions[nameOf(create.contract)]?.({ ...owner, admin }, names.real, record);
  return names;
}
