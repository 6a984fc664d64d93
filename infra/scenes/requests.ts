import { randomBytes } from 'node:crypto';
import { describedScan } from '../administration/upload-file.ts';
import type { Caller, Params, Route, Scene, Scenes } from './caller.ts';
import { afterDownload, payingScene, returnScene, settingsOfPayouts, withPayoutSettings } from './payouts.ts';
import { createAt, perform } from './perform.ts';
import { describedResiduals, describedStatement, recordPaths, residualFile } from './records.ts';
import { agreementBody, newBonus, newMonth, postedStatement, postRun } from './residuals.ts';

/** Sends a request about the record in the path first. */
const after =
  (route: Route): Scene =>
  async (caller, params) => {
    await perform(caller, route, { params });
    return {};
  };

const assigned =
  (weight: number): Scene =>
  async (caller) => ({
    fields: { userRotationArray: [{ userId: await caller.somebody(), weight }], currentPosition: 0 },
  });

/** Opens the invoice in the path and pays an amount, for the request with this body. */
const afterPayment =
  (amount: number, body: object): Scene =>
  async (caller, params) => {
    await perform(caller, 'POST /invoices/{invoiceId}/open', { params });
    const payment = { amount, method: 'cash', reference: 'first' };
    if (amount > 0) await caller.send('POST /invoices/{invoiceId}/payments', { params, body: payment });
    return { body };
  };

const ofNewMerchant: Scene = async (caller) => {
  const { id } = await caller.send('POST /merchants', { body: { merchantName: 'Harbor Street' } });
  return { fields: { customerId: String(id) } };
};

/** The number of a new invoice that is open. */
async function openInvoice(caller: Caller): Promise<{ invoiceId: number; number: string }> {
  const { params } = await createAt(caller, recordPaths.invoice);
  const { number } = await perform<{ number: string }>(caller, 'POST /invoices/{invoiceId}/open', { params });
  return { invoiceId: Number(params.invoiceId), number };
}

/** Saves the payment provider. Only the creation returns the secret. */
export const connectProvider = (caller: Caller) =>
  caller.send<{ secret: string }>('PUT /billing/provider', {
    body: { name: 'Northwind Payments', active: true },
  });

/** Saves the connection to a partner that does not respond. Only the creation returns the secret. */
export const connectPartner = (caller: Caller) =>
  caller.send<{ secret: string }>('PUT /integrations/partner/connection', {
    body: { url: caller.unreachable, active: true },
  });

const withProvider: Scene = async (caller) => {
  await connectProvider(caller);
  return {};
};

const connected: Scene = async (caller) => {
  await connectPartner(caller);
  return {};
};

const mapping: Scene = async (caller) => {
  const { record } = await createAt(caller, recordPaths.ticket_type);
  return { body: { partnerCategoryId: caller.unique(), serviceTicketTypeId: record.uniqueId } };
};

/** Uploads the documents that the application in the path lacks. */
export async function completeDocuments(caller: Caller, path: string, parents: Params): Promise<void> {
  type Readiness = { missingDocuments?: { documentKey: string }[]; next?: { documentKey?: string }[] };
  const found = await caller.send<Readiness>(
    path === recordPaths.application ? `GET ${path}/readiness` : (`GET ${path}` as Route),
    { params: parents },
  );
  const missing = found.missingDocuments ?? found.next ?? [];
  await Promise.all(
    missing.map(
      ({ documentKey }) =>
        documentKey &&
        createAt(caller, `${path}/documents/{documentId}`, { parents, fields: { documentKey } }),
    ),
  );
}

/** A user with a password. Only an administrator may set the password of another user. */
async function userWithPassword(caller: Caller): Promise<{ email: string; password: string }> {
  const { params } = await createAt(caller, recordPaths.user);
  const password = randomBytes(12).toString('base64url');
  await caller.send('PUT /users/{email}/password', { params, body: { password } });
  return { email: String(params.email), password };
}

const signedIn: Scene = async (caller) => ({ by: await caller.as(await userWithPassword(caller)) });

const complete =
  (path: string): Scene =>
  async (caller, params) => {
    await completeDocuments(caller, path, params);
    return {};
  };

/** Boards an approved application at a partner. */
const approved: Scene = async (caller, params) => {
  await connectPartner(caller);
  await perform(caller, 'POST /applications/{applicationId}/decision', { params });
  return {};
};

const ofNewType: Scene = async (caller) => ({
  body: { accountTypeId: (await createAt(caller, recordPaths.account_type)).params.id },
});

/** A request about another account, because a closed account rejects other requests. */
async function elsewhere(caller: Caller) {
  const by = await caller.another();
  const params = { id: by.account };
  const { name } = await by.send<{ name: string }>('GET /accounts/{id}', { params });
  return { by, params, query: { confirmName: name } };
}

const inClosedAccount: Scene = async (caller) => {
  const { by, ...deletion } = await elsewhere(caller);
  await by.send('DELETE /accounts/{id}', deletion);
  return { by, params: deletion.params };
};

/** The caller may be the owner already, but not a member of a new team. */
const ofNewTeam: Scene = async (caller) => ({
  body: { teamId: (await createAt(caller, recordPaths.team)).params.id },
});
const withParticipant: Scene = async (caller) => ({ body: { participants: [await caller.somebody()] } });

/** Two tickets of the account. */
const twoTickets: Scene = async (caller) => {
  const made = [await createAt(caller, recordPaths.ticket), await createAt(caller, recordPaths.ticket)];
  const ticketIds = made.map(({ record }) => record.uniqueId);
  return { body: { ticketIds, action: 'change_status', payload: { status: 'in_progress' } } };
};

/** For each route: the parts of its request other than the records in the path and the example of the body. */
export const requests: Scenes['requests'] = {
  'POST /leads': { query: { skipTeamAndSourceRequirement: true } },
  'PATCH /leads/{leadId}': { body: { company: 'Another company' } },
  'POST /leads/{leadId}/assign': async (caller) => ({ body: { assignedTo: await caller.somebody() } }),
  'PUT /leads/{leadId}/participants': withParticipant,
  'DELETE /leads/{leadId}/archive': after('POST /leads/{leadId}/archive'),
  'POST /lead-rotations': assigned(1),
  'PATCH /lead-rotations/{id}': { body: { name: 'Another rotation' } },
  'PATCH /lead-sources/{id}': { body: { description: 'Changed' } },
  'POST /lead-sources/{id}/activate': after('POST /lead-sources/{id}/deactivate'),

  'PATCH /applications/{applicationId}': { body: { repcode: 'R-18' } },
  'POST /applications/{applicationId}/documents': { fields: describedScan },
  'PATCH /applications/{applicationId}/documents/{documentId}': { body: { name: 'another.pdf' } },
  'POST /applications/{applicationId}/submit': complete(recordPaths.application),
  'POST /applications/{applicationId}/decision': async (caller, params) => {
    await perform(caller, 'POST /applications/{applicationId}/submit', { params });
    return { body: { decision: 'approved' } };
  },
  'PATCH /applications/{applicationId}/underwriting': { body: { priority: 'high' } },
  'PUT /applications/{applicationId}/owner': ofNewTeam,
  'PUT /applications/{applicationId}/participants': withParticipant,
  'POST /applications/{applicationId}/partner-submission': approved,
  'PATCH /underwriting-rules/{id}': { body: { action: { kind: 'flag', reason: 'Look again.' } } },

  'POST /extapi/leads': ({ unique }) => ({ fields: { externalId: `L-${unique()}` } }),
  'POST /extapi/applications': ({ unique }) => ({ fields: { externalId: `A-${unique()}` } }),
  'PATCH /extapi/applications/{externalId}': { body: { basics: { dbaName: 'Another name' } } },
  'POST /extapi/applications/{externalId}/documents': { fields: describedScan },
  'POST /extapi/applications/{externalId}/submit': complete('/extapi/applications/{externalId}'),

  'PUT /merchants/{merchantId}': { body: { dba: 'Another name' } },
  'PUT /merchants/{merchantId}/owner': ofNewTeam,
  'PUT /merchants/{merchantId}/participants': withParticipant,
  'POST /merchants/{merchantId}/documents': { fields: describedScan },
  'PATCH /merchants/{merchantId}/documents/{documentId}': { body: { name: 'another.pdf' } },
  'PATCH /merchants/{merchantId}/equipment/{equipmentId}': { body: { status: 'returned' } },
  'POST /merchants/{merchantId}/mids': ({ unique }) => ({ fields: { mid: `444501234${unique()}` } }),
  'PATCH /merchants/{merchantId}/mids/{midId}': { body: { status: 'suspended' } },
  'PATCH /merchants/{merchantId}/notes/{noteId}': { body: { content: 'Another note' } },

  'POST /invoices': ofNewMerchant,
  'PATCH /invoices/{invoiceId}': { body: { memo: 'Another memo' } },
  'POST /invoices/bank-statements': async (caller) => {
    const { number } = await openInvoice(caller);
    return { body: { csv: `date,amount,purpose\n2026-03-02,270.63,${number}` } };
  },
  'POST /invoices/{invoiceId}/void': after('POST /invoices/{invoiceId}/open'),
  'POST /invoices/{invoiceId}/uncollectible': after('POST /invoices/{invoiceId}/open'),
  'POST /invoices/{invoiceId}/credits': afterPayment(0, { amount: 10, reason: 'Goodwill' }),
  'POST /invoices/{invoiceId}/payments': afterPayment(0, { amount: 10, method: 'card', reference: 'pi_1' }),
  'POST /invoices/{invoiceId}/refunds': afterPayment(12_500, { amount: 10, reference: 're_1' }),
  'POST /billing/bank-statements': { body: describedStatement },
  'POST /residual-agreements': async (caller) => ({ body: await agreementBody(caller) }),
  'PATCH /residual-agreements/{id}': { body: { minimum: 1_000_000 } },
  'POST /residual-agreements/rehearse': async (caller) => ({
    body: { agreement: await agreementBody(caller), months: ['2026-10'] },
  }),
  'POST /residual-adjustments': async (caller) => ({ body: await newBonus(caller) }),
  'POST /residual-runs': (caller) => ({ body: { month: newMonth(caller) } }),
  'POST /residual-runs/{id}/post': async (caller, params) => {
    await caller.send('POST /residual-runs/{id}/approve', { params });
    return {};
  },
  'POST /residual-runs/{id}/reverse': async (caller, params) => {
    await postRun(caller, Number(params.id));
    return {};
  },
  'POST /residual-statements/approve': async (caller) => ({
    body: { statementIds: [await postedStatement(caller)] },
  }),
  'PATCH /residual-formats/{id}': { body: { name: 'Another name' } },
  'POST /residual-files': (caller) => ({ body: describedResiduals(residualFile(caller)) }),
  'GET /residual-anomalies': { query: { month: '2026-10' } },
  'GET /billing/statement': {
    query: { customerId: '214563398120449', from: '2026-01-01', to: '2026-03-31' },
  },
  'GET /billing/provider': withProvider,
  'PUT /billing/provider': { body: { name: 'Another provider', active: true } },
  'DELETE /billing/provider': withProvider,
  'POST /billing/provider/rotate-secret': async (caller) => {
    await connectProvider(caller);
    return { body: { expireNow: true } };
  },
  'POST /billing/provider/{accountId}/notifications': async (caller) => ({
    signWith: (await connectProvider(caller)).secret,
  }),
  'POST /billing/unmatched-payments/{unmatchedId}/assign': async (caller) => {
    const { invoiceId } = await openInvoice(caller);
    return { body: { invoiceId } };
  },

  'GET /payout-settings': withPayoutSettings,
  'PUT /payout-settings': { body: settingsOfPayouts('Another company') },
  'PUT /payout-accounts/{id}': (caller) => ({
    body: {
      ...{ holderName: `Grace ${caller.unique()}`, holderType: 'person', routingNumber: '011000015' },
      ...{ accountNumber: '000987654321', accountType: 'savings' },
    },
  }),
  'POST /residual-payouts': payingScene,
  'POST /residual-payouts/{id}/entries/{n}/result': afterDownload({ result: 'paid' }),
  'POST /residual-payouts/returns': returnScene,

  'GET /integrations/partner/connection': connected,
  'DELETE /integrations/partner/connection': connected,
  'POST /integrations/partner/connection/test': connected,
  'POST /integrations/partner/connection/rotate-secret': async (caller) => {
    await connectPartner(caller);
    return { body: { expireNow: true } };
  },
  'POST /integrations/partner/{accountId}/events': async (caller) => ({
    signWith: (await connectPartner(caller)).secret,
  }),
  'POST /integrations/partner/ticket-type-mappings': mapping,
  'PUT /integrations/partner/ticket-type-mappings/{id}': mapping,

  'PUT /lookup/{table}/{field}/id/{id}': { body: { text: 'Another text' } },
  'PATCH /teams/{id}': { body: { description: 'Changed' } },
  'POST /teams/{id}/activate': after('POST /teams/{id}/deactivate'),

  'PATCH /tickets/{ticketId}': { body: { subject: 'Another subject', status: 'in_progress' } },
  'POST /tickets/bulk': twoTickets,
  'PUT /tickets/{ticketId}/participants': withParticipant,
  'POST /tickets/{ticketId}/documents': { fields: describedScan },
  'PATCH /tickets/{ticketId}/documents/{documentId}': { body: { name: 'another.pdf' } },
  'PUT /ticket-types/{id}': { body: { name: 'Another type', description: 'Replaced', category: 'billing' } },
  'PATCH /ticket-types/{id}/status': { body: { isActive: false } },
  'POST /ticket-rotations': assigned(2),
  'PATCH /ticket-rotations/{id}': { body: { name: 'Another rotation' } },
  'POST /ticket-rotations/{id}/reset': { body: { currentPosition: 1 } },
  'POST /ticket-rotations/{id}/simulate': { body: { count: 18 } },

  'POST /scim/v2/Users': ({ unique }) => ({
    fields: { userName: `riley.${unique()}@example.com` },
  }),
  'PUT /scim/v2/Users/{id}': async (caller, params) => ({
    fields: {
      ...(await caller.send<object>('GET /scim/v2/Users/{id}', { params })),
      displayName: 'Another name',
    },
  }),
  'PATCH /scim/v2/Users/{id}': {
    body: { Operations: [{ op: 'replace', path: 'displayName', value: 'Another name' }] },
  },
  'POST /scim/v2/Groups': ({ unique }) => ({ fields: { displayName: `Group ${unique()}` } }),
  'PUT /scim/v2/Groups/{id}': ({ unique }) => ({ fields: { displayName: `Group ${unique()}` } }),
  'PUT /provisioning': async (caller) => {
    const { params } = await createAt(caller, recordPaths.role);
    return { body: { groups: [{ displayName: 'Sales', roleId: params.id }], reassignTo: 'none' } };
  },

  'POST /users': ({ unique }) => ({ fields: { email: `dana.reyes.${unique()}@example.com` } }),
  'PUT /users/{email}/notification-preferences': { body: [] },
  'PUT /users/{email}/roles': async (caller) => ({
    body: { roles: [(await createAt(caller, recordPaths.role)).record.name] },
  }),
  'DELETE /users/{email}/impersonation': after('POST /users/{email}/impersonation'),
  // A user of another account.
  'POST /users/{email}/accounts': async (caller) => {
    const { params } = await createAt(await caller.another(), recordPaths.user);
    return { params };
  },
  'DELETE /users/{email}/accounts/{accountId}': ({ account }, params) => ({
    params: { ...params, accountId: account },
  }),
  'POST /roles': ({ unique }) => ({ fields: { name: `Role ${unique()}` } }),
  'PUT /roles/{id}/permissions': { body: { flatPermissionsList: ['readTeams'] } },
  'PATCH /apikeys/{id}': { body: { description: 'Weekly import' } },
  'PATCH /apikeys/{id}/permissions': { body: { flatPermissionsList: ['readTeams'] } },
  'POST /reassignments': async (caller) => {
    const { record } = await createAt(caller, recordPaths.user, { fields: { active: false } });
    return { body: { from: String(record.id), to: 'none' } };
  },
  'POST /auth/login': async (caller) => ({ by: await caller.as({}), body: await userWithPassword(caller) }),
  'POST /auth/logout': signedIn,
  'POST /auth/logout-all': signedIn,
  'POST /auth/password': async (caller) => {
    const user = await userWithPassword(caller);
    const newPassword = randomBytes(12).toString('base64url');
    return { by: await caller.as(user), body: { currentPassword: user.password, newPassword } };
  },
  'POST /auth/step-up': async (caller) => {
    const user = await userWithPassword(caller);
    return { by: await caller.as(user), body: { password: user.password } };
  },
  'POST /auth/password-reset-request': async (caller) => ({
    by: await caller.as({}),
    body: { email: (await createAt(caller, recordPaths.user)).params.email },
  }),

  'POST /account-types': { fields: { permissions: ['readLeads'], limits: { users: 5 } } },
  'PATCH /account-types/{id}': { body: { permissions: ['readLeads', 'readTeams'] } },
  'POST /accounts': async (caller) => ({
    fields: {
      accountTypeId: (await createAt(caller, recordPaths.account_type)).params.id,
      adminEmail: `agent.${caller.unique()}@example.com`,
    },
  }),
  'PUT /accounts/{id}/permissions': { body: { permissions: [] } },
  'PUT /accounts/{id}/type': ofNewType,
  'POST /accounts/{id}/move': async (caller) => ({
    body: { parentAccountId: (await perform(caller, 'POST /accounts')).id },
  }),
  'DELETE /accounts/{id}/body-capture': async (caller, params) => {
    await caller.send('PUT /accounts/{id}/body-capture', { params, body: { days: 1 } });
    return {};
  },
  'DELETE /accounts/{id}': elsewhere,
  'PATCH /accounts/{id}': { fields: { mail: { commentsByMail: false }, residualsNeedTwoPeople: false } },
  'GET /accounts/{id}/export': inClosedAccount,
  'POST /accounts/{id}/reopen': inClosedAccount,

  'POST /sso-connections': ({ unique }) => ({
    body: {
      issuer: `https://login${unique()}.example.com`,
      clientId: `client-${unique()}`,
      authentication: 'client_secret_basic',
      clientSecret: randomBytes(24).toString('base64url'),
      domains: [],
      returnUrls: ['https://portal.example.com/signed-in'],
    },
  }),
  'PATCH /sso-connections/{id}': { body: { clientId: 'another-client' } },
  'POST /domains': ({ unique }) => ({ fields: { domain: `pay${unique()}.example.com` } }),
  'POST /mail-domains': ({ unique }) => ({ fields: { domain: `mail${unique()}.example.com` } }),
  'PATCH /mail-addresses/{id}': { body: { name: 'Acme Support' } },
  'POST /webhooks': ({ unreachable }) => ({ body: { url: unreachable, events: [] } }),
  'PATCH /webhooks/{id}': { body: { description: 'Another ledger' } },
  'GET /search': { query: { q: 'ada' } },
};
