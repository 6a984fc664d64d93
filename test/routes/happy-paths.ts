import { expect } from 'vitest';
import deleteAccount from '../../functions/accounts/delete-account.ts';
import readAccount from '../../functions/accounts/read-account.ts';
import startBodyCapture from '../../functions/accounts/start-body-capture.ts';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import createApplication from '../../functions/applications/create-application.ts';
import createApplicationDocument from '../../functions/applications/create-application-document.ts';
import decideApplication from '../../functions/applications/decide-application.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import createFactor from '../../functions/auth/create-factor.ts';
import savePaymentProvider from '../../functions/billing/save-payment-provider.ts';
import readDomain from '../../functions/domains/read-domain.ts';
import validateDomain from '../../functions/domains/validate-domain.ts';
import createExternalDocument from '../../functions/extapi/create-external-document.ts';
import saveExternalApplication from '../../functions/extapi/save-external-application.ts';
import saveExternalLead from '../../functions/extapi/save-external-lead.ts';
import savePartnerConnection from '../../functions/integrations/save-partner-connection.ts';
import createInvoice from '../../functions/invoices/create-invoice.ts';
import openInvoice from '../../functions/invoices/open-invoice.ts';
import deactivateLeadSource from '../../functions/lead-sources/deactivate-lead-source.ts';
import archiveLead from '../../functions/leads/archive-lead.ts';
import createMerchantDocument from '../../functions/merchants/create-merchant-document.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import createRole from '../../functions/roles/create-role.ts';
import deactivateTeam from '../../functions/teams/deactivate-team.ts';
import createTicketDocument from '../../functions/tickets/create-ticket-document.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import createUser from '../../functions/users/create-user.ts';
import impersonateUser from '../../functions/users/impersonate-user.ts';
import type { EndpointFile } from '../../infra/build/endpoints.ts';
import { successStatus } from '../../shared/endpoints/contract.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { examples } from '../../shared/resources/derived.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { authoredBy, revise } from '../../shared/table/revise.ts';
import { transact } from '../../shared/table/transact.ts';
import type { CallResponse } from '../harness/call.ts';
import { accountType, childAccount } from '../harness/child-account.ts';
import { clock } from '../harness/clock.ts';
import { addFactor, challengeOf, codeOf } from '../harness/factors.ts';
import { mailedToken, member } from '../harness/member.ts';
import { notify } from '../harness/notify.ts';
import { client, signIn, type Tenant, tenant } from '../harness/tenant.ts';
import { publishDomain } from './publish-domain.ts';
import {
  bulkBody,
  creationOf,
  creatorOf,
  exampleBody,
  invoiceBody,
  mappingBody,
  nameOf,
  newRecordFor,
  openWith,
  unreachableWebhook,
} from './records.ts';
import { describedFile, describedStatement, sendFile } from './uploaded-document.ts';

/** The input of `call` for a successful request. */
export interface HappyPath {
  params?: object;
  query?: object;
  body?: unknown;
  headers?: Record<string, string>;
  signWith?: string;
}

/** Prepares a route and returns overrides of its default request. */
type Preparation = (owner: Tenant, usual: HappyPath) => Promise<HappyPath> | HappyPath;

/** Uses a separate session, so that ending it affects no other test. */
const signedInKey = async ({ accountId, admin }: Tenant): Promise<HappyPath> => {
  const { apiKey, apiSecret } = await admin.ok(createApiKey, { body: { description: 'For one call' } });
  return { headers: { 'x-account-id': accountId, authorization: await signIn({ apiKey, apiSecret }) } };
};
/** Prepares the record in the path by calling another endpoint. */
const after =
  (endpoint: Endpoint): Preparation =>
  async ({ admin }, { params }) => {
    await admin.ok(endpoint, { params });
    return {};
  };

/** Creates a document and uploads its file, but does not complete the upload. */
const sent =
  (create: Endpoint, key: object): Preparation =>
  async (owner, { params }) => {
    const admin = creatorOf(owner, create.contract.path);
    const { documentId: _, ...parent } = params as { documentId: unknown };
    const document = await admin.ok(create, { params: parent, body: { ...describedFile, ...key } });
    await sendFile(document);
    return { params: { ...params, documentId: (document as { id: string }).id }, body: {} };
  };
const takesIncomplete = async ({ accountId, admin }: Tenant): Promise<void> => {
  const body = { requireCompleteApplication: false };
  await admin.ok(updateAccount, { params: { id: accountId }, body });
};

/** Adds a notification to the caller's inbox. */
const notified: Preparation = async ({ accountId, adminEmail }) => {
  await notify({ account: accountId, email: adminEmail });
  return {};
};

/**
 * Creates a first application, which also creates the account's data keys, so that the tested request does
 * not create them.
 */
const withDataKeys: Preparation = async ({ admin }) => {
  await admin.ok(createApplication);
  return {};
};

const unreachablePartner = { url: 'http://127.0.0.1:9/', active: true };

/** Connects the account to an unreachable partner. */
const connectedToPartner: Preparation = async ({ admin }) => {
  await admin.ok(savePartnerConnection, { body: unreachablePartner });
  return {};
};

/** Opens the invoice in the path, and pays the given amount. */
const openedInvoice =
  (amount?: number, body?: object): Preparation =>
  async (owner, { params }) => {
    await openWith(owner, params ?? {}, amount);
    return body ? { body } : {};
  };

/** An invoice to a child account, and the session of the child's administrator. */
async function receivedInvoice(owner: Tenant): Promise<HappyPath> {
  const { accountId, admin } = await childAccount(owner);
  const to = { customerType: 'account' as const, customerId: accountId };
  const body = { ...(await invoiceBody(owner)), ...to };
  const { id: invoiceId } = await owner.admin.ok(createInvoice, { body });
  await owner.admin.ok(openInvoice, { params: { invoiceId } });
  return { headers: admin.headers, params: { invoiceId } };
}

const paymentProvider = { name: 'Northwind Payments', active: true };

/** Creates the payment provider of the account. */
const withProvider: Preparation = async ({ admin }) => {
  await admin.ok(savePaymentProvider, { body: paymentProvider });
  return {};
};

/** A signed notification of another account's payment provider, because only its creation returns the secret. */
const signedNotice: Preparation = async (_, usual) => {
  const { admin, accountId } = await tenant();
  const { secret } = await admin.ok(savePaymentProvider, { body: paymentProvider });
  return { ...usual, params: { accountId }, signWith: secret };
};

/** Writes the state of an application that the partner has accepted. */
async function plantPartnerState(account: Tenant['accountId'], applicationId: string): Promise<void> {
  const before = await applications.get(account, applicationId);
  const partner = {
    ...{ state: 'sent' as const, submission: 1, submittedAt: before.updatedAt },
    ...{ partnerId: 'pa_1', lastEventAt: before.updatedAt },
  };
  const after = revise(before, { admin: { ...before.admin, partner } }, authoredBy('system', clock.now()));
  await transact(applications.replace(before, after), Date.now() + 60_000);
}

/** Publishes the TXT record and the file of the domain in the path. */
const publishedDomain: Preparation = async ({ admin }, { params }) => {
  await publishDomain(await admin.ok(readDomain, { params: params as { id: number } }));
  return {};
};

/** A signed event of another account's partner, because only the creation of a connection returns its secret. */
const signedPartnerEvent: Preparation = async (_, usual) => {
  const { admin, accountId } = await tenant();
  const { secret } = await admin.ok(savePartnerConnection, { body: unreachablePartner });
  return { ...usual, params: { accountId }, signWith: secret };
};

/** A request about another account, because a closed account rejects the requests of other tests. */
const openAccount: Preparation = async (_, usual) => {
  const { admin, accountId } = await tenant();
  return { ...usual, params: { id: accountId }, headers: admin.headers };
};

const confirmedName: Preparation = async (owner, usual) => {
  const sent = await openAccount(owner, usual);
  const { name } = await client(sent.headers ?? {}).ok(readAccount, {
    params: sent.params as { id: string },
  });
  return { ...sent, query: { confirmName: name } };
};

const closedAccount: Preparation = async (owner, usual) => {
  const { query, ...sent } = await confirmedName(owner, usual);
  const confirmation = { params: sent.params as { id: string }, query: query as { confirmName: string } };
  await client(sent.headers ?? {}).ok(deleteAccount, confirmation);
  return sent;
};

/**
 * The routes whose default request would fail or change nothing. The default request has a new record in the path, the
 * example body and an administrator's session.
 */
const prepared: Record<string, Preparation> = {
  ...Object.fromEntries(
    Object.values(examples).map(({ path, change }) => [`PATCH ${path}/{id}`, () => ({ body: change })]),
  ),
  'DELETE /accounts/{id}': confirmedName,
  'GET /accounts/{id}/export': closedAccount,
  'POST /accounts/{id}/reopen': closedAccount,
  'DELETE /accounts/{id}/body-capture': async ({ admin }, { params }) => {
    await admin.ok(startBodyCapture, { params: params as { id: string }, body: { days: 1 } });
    return {};
  },
  'POST /accounts': async (owner) => ({
    body: {
      name: 'Harbor Agents',
      accountTypeId: (await accountType(owner)).id,
      adminEmail: 'first.agent@example.com',
    },
  }),
  'PUT /accounts/{id}/permissions': () => ({ body: { permissions: ['readLeads'] } }),
  'PUT /accounts/{id}/type': async (owner) => ({
    body: { accountTypeId: (await accountType(owner)).id },
  }),
  'POST /accounts/{id}/move': async (owner) => ({
    body: { parentAccountId: (await childAccount(owner)).accountId },
  }),
  'PATCH /account-types/{id}': () => ({ body: { permissions: ['readLeads', 'readTeams'] } }),
  'PATCH /applications/{applicationId}/documents/{documentId}': () => ({ body: { name: 'another.pdf' } }),
  'POST /applications/{applicationId}/documents/{documentId}/complete': sent(createApplicationDocument, {
    documentKey: 'voided-check',
  }),
  'PATCH /merchants/{merchantId}/documents/{documentId}': () => ({ body: { name: 'another.pdf' } }),
  'POST /merchants/{merchantId}/documents/{documentId}/complete': sent(createMerchantDocument, {
    type: 'contract',
  }),
  'DELETE /users/{email}/impersonation': async ({ admin }, { params }) => {
    await admin.ok(impersonateUser, {
      params: params as { email: string },
      body: { reason: 'For one call' },
    });
    return {};
  },
  'PATCH /apikeys/{id}': () => ({ body: { description: 'Weekly import' } }),
  'PATCH /apikeys/{id}/permissions': () => ({ body: { flatPermissionsList: ['readTeams'] } }),
  'POST /applications': withDataKeys,
  'POST /extapi/leads': (owner) => creationOf(saveExternalLead, owner),
  'POST /extapi/applications': async (owner, usual) => ({
    ...(await withDataKeys(owner, usual)),
    ...creationOf(saveExternalApplication, owner),
  }),
  'PATCH /extapi/applications/{externalId}': () => ({ body: { basics: { dbaName: 'Another name' } } }),
  'POST /extapi/applications/{externalId}/submit': async (owner) => {
    await takesIncomplete(owner);
    return {};
  },
  'POST /extapi/applications/{externalId}/documents/{documentId}/complete': sent(createExternalDocument, {
    documentKey: 'voided-check',
  }),
  'PATCH /applications/{applicationId}': () => ({ body: { repcode: 'R-18' } }),
  'POST /applications/{applicationId}/decision': async (owner, usual) => {
    await takesIncomplete(owner);
    await after(submitApplication)(owner, usual);
    return { body: { decision: 'approved' } };
  },
  'POST /applications/{applicationId}/submit': async (owner) => {
    await takesIncomplete(owner);
    return {};
  },
  'PATCH /applications/{applicationId}/underwriting': () => ({ body: { priority: 'high' } }),
  'POST /auth/login': ({ adminEmail, adminPassword }) => ({
    body: { email: adminEmail, password: adminPassword },
  }),
  'POST /auth/login/verify': async (owner) => {
    const ada = await member(owner);
    const { secret } = await addFactor(ada.client);
    return { body: { challenge: await challengeOf(ada), code: codeOf(secret) } };
  },
  'POST /auth/factors': async (owner) => ({ headers: (await member(owner)).client.headers }),
  'POST /auth/factors/{factorId}/confirm': async (owner) => {
    const { client: session } = await member(owner);
    const { factor, secret } = await session.ok(createFactor, { body: { type: 'totp', name: 'Phone' } });
    return {
      headers: session.headers,
      params: { factorId: factor.id },
      body: { code: codeOf(secret) },
    };
  },
  'POST /auth/recovery-codes': async (owner) => {
    const { client: session } = await member(owner);
    await addFactor(session);
    return { headers: session.headers };
  },
  'POST /auth/logout': signedInKey,
  'POST /auth/logout-all': signedInKey,
  'POST /auth/password': ({ adminPassword }) => ({
    body: { currentPassword: adminPassword, newPassword: adminPassword },
  }),
  'POST /auth/password-reset': async (owner) => {
    const { email } = await owner.admin.ok(createUser, { body: { email: 'invited.to.reset@example.com' } });
    return { body: { token: await mailedToken(email, owner), password: 'a password of their own' } };
  },
  'POST /auth/password-reset-request': ({ adminEmail }) => ({ body: { email: adminEmail } }),
  'GET /integrations/partner/connection': connectedToPartner,
  'DELETE /integrations/partner/connection': connectedToPartner,
  'POST /integrations/partner/connection/rotate-secret': async (owner, usual) => {
    await connectedToPartner(owner, usual);
    return { body: { expireNow: true } };
  },
  'POST /integrations/partner/connection/test': connectedToPartner,
  'POST /integrations/partner/{accountId}/events': signedPartnerEvent,
  'POST /applications/{applicationId}/partner-submission': async (owner, usual) => {
    await owner.admin.ok(savePartnerConnection, { body: unreachablePartner });
    await takesIncomplete(owner);
    await after(submitApplication)(owner, usual);
    const { params } = usual as { params: { applicationId: string } };
    await owner.admin.ok(decideApplication, { params, body: { decision: 'approved' } });
    return {};
  },
  'POST /applications/{applicationId}/partner-sync': async (owner, usual) => {
    await owner.admin.ok(savePartnerConnection, { body: unreachablePartner });
    const { params } = usual as { params: { applicationId: string } };
    await plantPartnerState(owner.accountId, params.applicationId);
    return {};
  },
  'POST /invoices': async (owner) => ({ body: await invoiceBody(owner) }),
  'POST /invoices/bank-statements': async (owner) => {
    const { id: invoiceId } = await owner.admin.ok(createInvoice, { body: await invoiceBody(owner) });
    const { number } = await owner.admin.ok(openInvoice, { params: { invoiceId } });
    return { body: { csv: `date,amount,purpose\n2026-03-02,270.63,${number}` } };
  },
  'POST /billing/bank-statements': () => ({ body: describedStatement }),
  'PATCH /invoices/{invoiceId}': () => ({ body: { memo: 'Another memo' } }),
  'POST /invoices/{invoiceId}/void': openedInvoice(),
  'POST /invoices/{invoiceId}/uncollectible': openedInvoice(),
  'POST /invoices/{invoiceId}/credits': openedInvoice(0, { amount: 10, reason: 'Goodwill' }),
  'POST /invoices/{invoiceId}/payments': openedInvoice(0, { amount: 10, method: 'card', reference: 'pi_1' }),
  'POST /invoices/{invoiceId}/refunds': openedInvoice(12_500, { amount: 10, reference: 're_1' }),
  'GET /received-invoices': async (owner) => ({
    headers: (await receivedInvoice(owner)).headers,
    query: { from: '2026-01-01', to: '2026-03-31' },
  }),
  'GET /received-invoices/{invoiceId}': receivedInvoice,
  'GET /received-invoices/{invoiceId}/print': receivedInvoice,
  'GET /billing/statement': () => ({
    query: { customerId: '214563398120449', from: '2026-01-01', to: '2026-03-31' },
  }),
  'GET /billing/provider': withProvider,
  'PUT /billing/provider': () => ({ body: { name: 'Another provider', active: true } }),
  'DELETE /billing/provider': withProvider,
  'POST /billing/provider/rotate-secret': async (owner, usual) => {
    await withProvider(owner, usual);
    return { body: { expireNow: true } };
  },
  'POST /billing/provider/{accountId}/notifications': signedNotice,
  'POST /billing/unmatched-payments/{unmatchedId}/assign': async (owner) => {
    const { id: invoiceId } = await owner.admin.ok(createInvoice, { body: await invoiceBody(owner) });
    await openWith(owner, { invoiceId });
    return { body: { invoiceId } };
  },
  'POST /integrations/partner/ticket-type-mappings': async (owner) => ({ body: await mappingBody(owner) }),
  'PUT /integrations/partner/ticket-type-mappings/{id}': async (owner) => ({
    body: await mappingBody(owner),
  }),
  'POST /domains/{id}/validate': publishedDomain,
  'POST /domains/{id}/activate': async (owner, usual) => {
    await publishedDomain(owner, usual);
    return after(validateDomain)(owner, usual);
  },
  'PATCH /lead-rotations/{id}': () => ({ body: { name: 'Another rotation' } }),
  'POST /lead-sources/{id}/activate': after(deactivateLeadSource),
  'PATCH /leads/{leadId}': () => ({ body: { company: 'Another company' } }),
  'POST /leads/{leadId}/convert': withDataKeys,
  'POST /leads/{leadId}/assign': ({ adminEmail }) => ({ body: { assignedTo: adminEmail } }),
  'DELETE /leads/{leadId}/archive': after(archiveLead),
  'PUT /lookup/{table}/{field}/id/{id}': () => ({ body: { text: 'Another text' } }),
  'PUT /merchants/{merchantId}': () => ({ body: { dba: 'Another name' } }),
  'PATCH /merchants/{merchantId}/equipment/{equipmentId}': () => ({ body: { status: 'returned' } }),
  'POST /merchants/{merchantId}/mids': (owner) => creationOf(createMid, owner),
  'PATCH /merchants/{merchantId}/mids/{midId}': () => ({ body: { status: 'suspended' } }),
  'GET /notifications': notified,
  'GET /search': () => ({ query: { q: 'ada' } }),
  'POST /notifications/mark-all-read': notified,
  'PATCH /underwriting-rules/{id}': () => ({ body: { action: { kind: 'flag', reason: 'Look again.' } } }),
  'PATCH /merchants/{merchantId}/notes/{noteId}': () => ({ body: { content: 'Another note' } }),
  'POST /reassignments': async ({ admin }) => {
    const { id } = await admin.ok(createUser, { body: { email: 'asleep@example.com', active: false } });
    return { body: { from: String(id), to: 'none' } };
  },
  'PUT /roles/{id}/permissions': () => ({ body: { flatPermissionsList: ['readTeams'] } }),
  'PATCH /ticket-rotations/{id}': () => ({ body: { name: 'Another rotation' } }),
  'POST /ticket-rotations/{id}/reset': () => ({ body: { currentPosition: 1 } }),
  'POST /ticket-rotations/{id}/simulate': () => ({ body: { count: 18 } }),
  'POST /teams/{id}/activate': after(deactivateTeam),
  'PATCH /tickets/{ticketId}/documents/{documentId}': () => ({ body: { name: 'another.pdf' } }),
  'POST /tickets/{ticketId}/documents/{documentId}/complete': sent(createTicketDocument, { type: 'photo' }),
  'PATCH /tickets/{ticketId}': () => ({ body: { subject: 'Another subject', status: 'in_progress' } }),
  'POST /tickets/bulk': async (owner) => ({ body: await bulkBody(owner) }),
  'PUT /ticket-types/{id}': () => ({
    body: { name: 'Another type', description: 'Replaced', category: 'billing' },
  }),
  'PATCH /ticket-types/{id}/status': () => ({ body: { isActive: false } }),
  'POST /users/{email}/accounts': async () => ({ params: { email: await strangerEmail() } }),
  'DELETE /users/{email}/accounts/{accountId}': ({ accountId }, { params }) => ({
    params: { ...params, accountId },
  }),
  'POST /users/{email}/accounts/{accountId}/membership': async (owner) => {
    const { params } = await invitedStranger(owner);
    const { email } = params as { email: string };
    return { params, headers: {}, body: { token: await mailedToken(email, owner) } };
  },
  'DELETE /users/{email}/accounts/{accountId}/membership': invitedStranger,
  'POST /webhooks': () => ({ body: unreachableWebhook }),
  'POST /webhooks/{id}/recover': () => ({
    body: { since: new Date(clock.now().getTime() - 3_600_000).toISOString() },
  }),
  'PATCH /webhooks/{id}': () => ({ body: { description: 'Another ledger' } }),
  'PUT /users/{email}/notification-preferences': () => ({ body: [] }),
  'PUT /users/{email}/roles': async ({ admin }) => {
    const { name } = await admin.ok(createRole, {
      body: { name: 'Reader', flatPermissionsList: ['readLeads'] },
    });
    return { body: { roles: [name] } };
  },
};

/** Returns the email address of a user in another account. */
async function strangerEmail(): Promise<string> {
  const { admin } = await tenant();
  const { email } = await admin.ok(createUser, { body: { email: 'somebody.of.elsewhere@example.com' } });
  return email;
}

/** Returns a request by a user of another account who is invited to this account. */
async function invitedStranger({ accountId, admin }: Tenant): Promise<HappyPath> {
  const { user, client } = await member(await tenant());
  await admin.ok(addUserToAccount, { params: { email: user.email }, body: {} });
  return { params: { email: user.email, accountId }, headers: client.headers };
}

/** A successful request of the owner: a new record in the path, the example body, and the administrator's session. */
export async function happyPath(endpoint: Endpoint, all: EndpointFile[], owner: Tenant): Promise<HappyPath> {
  const { contract } = endpoint;
  const creates = contract.success === 'created' && !contract.path.includes('{');
  const usual: HappyPath = {
    params: contract.path.includes('{') ? (await newRecordFor(endpoint, all, owner)).real : {},
    headers: contract.access === 'public' ? {} : owner.admin.headers,
    ...(creates ? creationOf(endpoint, owner) : { body: exampleBody(endpoint) }),
  };
  return { ...usual, ...(await prepared[nameOf(contract)]?.(owner, usual)) };
}

/** Throws an error with instructions if the request failed. */
export function expectHappy({ contract }: Endpoint, { status, body }: CallResponse<unknown>): void {
  // `ANY` is the method of the default route, which only returns errors.
  const wanted = contract.method === 'ANY' ? 405 : successStatus(contract);
  const advice =
    `${nameOf(contract)} has no happy path, but responds with ${status}: ${JSON.stringify(body)}. ` +
    'Add its needs to the table `prepared` in test/routes/happy-paths.ts.';
  expect(status, advice).toBe(wanted);
}
