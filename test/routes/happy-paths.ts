import { expect } from 'vitest';
import createFactor from '../../functions/auth/create-factor.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import type { Caller, Params, Route, Scene, Scenes } from '../../infra/scenes/caller.ts';
import { createAt, perform, recordPathOf, requestOf } from '../../infra/scenes/perform.ts';
import { recordPaths, records } from '../../infra/scenes/records.ts';
import { connectPartner, requests } from '../../infra/scenes/requests.ts';
import { postedStatement } from '../../infra/scenes/residuals.ts';
import type { MailDomain } from '../../shared/correspondence/domains/schema.ts';
import type { VanityDomain } from '../../shared/domains/schema.ts';
import { type Contract, successStatus } from '../../shared/endpoints/contract.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { asAccountId } from '../../shared/id/account-id.ts';
import { mintId } from '../../shared/id/mint.ts';
import { type DeliveryContent, deliveryId } from '../../shared/messaging/webhooks/delivery.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { openDataKeys } from '../../shared/security/data-keys.ts';
import { authoredBy, revise } from '../../shared/table/revise.ts';
import { transact } from '../../shared/table/transact.ts';
import { enqueueWrites } from '../../shared/work-queue/enqueue.ts';
import { webhookWorkQueue } from '../../shared/work-queue/keys.ts';
import { addAddress } from '../correspondence/outgoing-world.ts';
import { plantMail } from '../correspondence/planted-mails.ts';
import type { CallResponse } from '../harness/call.ts';
import { accountType, childAccount } from '../harness/child-account.ts';
import { clock } from '../harness/clock.ts';
import { addFactor, challengeOf, codeOf, storedFactor } from '../harness/factors.ts';
import { mailedToken, member } from '../harness/member.ts';
import { notify } from '../harness/notify.ts';
import { sealAll } from '../harness/seal-events.ts';
import { client, signIn, type Tenant, tenant } from '../harness/tenant.ts';
import { finishRuns } from '../residuals/finish-runs.ts';
import { LyingProvider } from '../single-sign-on/provider.ts';
import { began, codeFor, connected, holdDomain, signedIn } from '../single-sign-on/world.ts';
import { publishDomain, publishMailDomain } from './publish-domain.ts';
import { exampleBody, nameOf, plantUnmatched, runningRuleTest, unreachableWebhook } from './records.ts';

/** The input of `call` for a successful request. */
export interface HappyPath {
  params?: object;
  query?: object;
  body?: unknown;
  headers?: Record<string, string>;
  signWith?: string;
}

const all = await loadEndpoints();
const endpoints = new Map(all.map(({ endpoint }) => [nameOf(endpoint.contract), endpoint]));

function endpointOf(route: Route): Endpoint {
  const found = endpoints.get(route);
  if (!found) throw new Error(`No endpoint has the route ${route}.`);
  return found;
}

/** A caller in the process of the test. */
interface TestCaller extends Caller {
  owner: Tenant;
}

const ownerOf = (caller: Caller): Tenant => (caller as TestCaller).owner;
const accountOf = ({ account }: Caller) => asAccountId(account) ?? expect.fail(account);

let made = 1000;

/** Returns a caller that sends its requests as the administrator, or to the external API as the vendor. */
function callerOf(owner: Tenant): TestCaller {
  const { accountId: account, adminEmail, admin, vendor = admin } = owner;
  return {
    owner,
    account,
    scenes,
    unreachable: unreachableWebhook.url,
    async operation(route) {
      const endpoint = endpoints.get(route);
      return (
        endpoint && { example: exampleBody(endpoint), creates: successStatus(endpoint.contract) === 201 }
      );
    },
    send: async (route, input = {}) =>
      (route.includes(' /extapi/') ? vendor : admin).ok(endpointOf(route), input) as never,
    async as(credentials) {
      const headers: Record<string, string> =
        Object.keys(credentials).length === 0
          ? {}
          : { 'x-account-id': account, authorization: await signIn(credentials as Record<string, string>) };
      return callerOf({ ...owner, admin: client(headers) });
    },
    another: async () => callerOf(await tenant()),
    afterJobs: () => finishRuns(account),
    somebody: async () => adminEmail,
    // Four digits, so that items have the same size in every run.
    unique: () => ++made,
  };
}

/** Uses a separate session, so that ending it affects no other test. */
const signedInKey: Scene = async (caller) => {
  const { apiKey, apiSecret } = (await createAt(caller, recordPaths.api_key)).record;
  return { by: await caller.as({ apiKey, apiSecret }) };
};

/** A new member, whose password is proved. */
async function memberOf(caller: Caller): Promise<TestCaller> {
  const owner = ownerOf(caller);
  return callerOf({ ...owner, admin: (await member(owner)).client });
}

/** A body whose code is computed when it is sent, because the clock may advance before. */
const withCode = (secret: string, fields: object = {}) => ({
  ...fields,
  get code() {
    return codeOf(secret);
  },
});

const takesIncomplete: Scene = async (caller) => {
  const body = { requireCompleteApplication: false };
  await caller.send('PATCH /accounts/{id}', { params: { id: caller.account }, body });
  return {};
};

let provider: Promise<LyingProvider> | undefined;

/** A connection of the owner to a provider, and the claims of a user who becomes a member at the first sign-in. */
async function connectedProvider(caller: Caller) {
  provider ??= LyingProvider.start();
  const domain = `domain${caller.unique()}.example.com`;
  await holdDomain(ownerOf(caller), domain);
  const connection = await connected(ownerOf(caller), await provider, {
    domains: [domain],
    provisioning: true,
  });
  const email = `ada@${domain}`;
  return { provider: await provider, connection, claims: { sub: email, email, email_verified: true } };
}

/** Adds a notification to the caller's inbox. */
const notified: Scene = async (caller) => {
  await notify({ account: accountOf(caller), email: ownerOf(caller).adminEmail });
  return {};
};

/** Writes the state of an application that the partner has accepted. */
const acceptedByPartner: Scene = async (caller, params) => {
  await connectPartner(caller);
  const before = await applications.get(accountOf(caller), String(params.applicationId));
  const partner = {
    ...{ state: 'sent' as const, submission: 1, submittedAt: before.updatedAt },
    ...{ partnerId: 'pa_1', lastEventAt: before.updatedAt },
  };
  const after = revise(before, { admin: { ...before.admin, partner } }, authoredBy('system', clock.now()));
  await transact(applications.replace(before, after), Date.now() + 60_000);
  return {};
};

/** An invoice to a child account, and the session of the child's administrator. */
const receivedInvoice: Scene = async (caller) => {
  const child = await childAccount(ownerOf(caller));
  const fields = { customerType: 'account', customerId: child.accountId };
  const { params } = await createAt(caller, recordPaths.invoice, { fields });
  await perform(caller, 'POST /invoices/{invoiceId}/open', { params });
  return { by: callerOf(child), params };
};

/** A posted statement to a child account, and the session of the child's administrator. */
const receivedStatement: Scene = async (caller, params) => {
  const child = await childAccount(ownerOf(caller));
  const id = await postedStatement(caller, { type: 'account', id: child.accountId });
  await sealAll(accountOf(caller));
  return { by: callerOf(child), params: 'id' in params ? { ...params, id } : params };
};

/** Seals the event log, so that the statement in the path can be proved. */
const sealed: Scene = async (caller, params) => {
  await sealAll(accountOf(caller));
  return { params };
};

/** Publishes the TXT record and the file of the domain in the path. */
const publishedDomain: Scene = async (caller, params) => {
  await publishDomain(await caller.send<VanityDomain>('GET /domains/{id}', { params }));
  return {};
};

/** Publishes the TXT record of the mail domain in the path. */
const publishedMailDomain: Scene = async (caller, params) => {
  await publishMailDomain(await caller.send<MailDomain>('GET /mail-domains/{id}', { params }));
  return {};
};

/** A mail address in a new proved domain. */
const addressInProvedDomain: Scene = async (caller) => {
  const { params, record } = await createAt(caller, recordPaths.mail_domain);
  await perform(caller, 'POST /mail-domains/{id}/validate', { params });
  const address = `support@${String((record as Partial<MailDomain>).domain)}`;
  return { body: { address, purpose: 'tickets', autoReply: { text: 'Thank you.' } } };
};

/** A mail from an address of the account. */
const fromAddress: Scene = async (caller) => {
  await addAddress(ownerOf(caller), { address: `help${caller.unique()}@acme.example` });
  return { body: { to: ['ada@example.com'], subject: 'Your terminal', body: 'It is on its way.' } };
};

/** A signed request about another account, because only the creation of the sender's connection returns the secret. */
const signedElsewhere =
  (route: Route): Scene =>
  async (caller) => {
    const other = await caller.another();
    const scene = requests[route];
    const parts = typeof scene === 'function' ? await scene(other, {}) : scene;
    return { ...parts, params: { accountId: other.account } };
  };

/** A request by a user of another account who is invited to this account. */
const invitedStranger: Scene = async (caller) => {
  const stranger = await member(await tenant());
  const { email } = stranger.user;
  await caller.send('POST /users/{email}/accounts', { params: { email }, body: {} });
  const by = callerOf({ ...ownerOf(caller), admin: stranger.client });
  return { by, params: { email, accountId: caller.account } };
};

/** The records that only the process of the test can create. */
const planted: Scenes['records'] = {
  '/events/{id}/proof': async (caller) => ({ id: await sealAll(accountOf(caller)) }),
  '/accounts/{id}/': async (caller) => ({ id: (await childAccount(ownerOf(caller))).accountId }),
  '/auth/factors/{factorId}': async (caller) => ({
    factorId: await storedFactor(ownerOf(caller).adminEmail),
  }),
  '/auth/sso/logout/{accountId}/{connectionId}': async (caller) => {
    const { accountId, id: connectionId } = (await connectedProvider(caller)).connection;
    return { accountId, connectionId };
  },
  '/notifications/{id}': async (caller) => ({
    id: await notify({ account: accountOf(caller), email: ownerOf(caller).adminEmail }),
  }),
  '/webhooks/{id}/deliveries/{did}': async (caller) => {
    const { params } = await createAt(caller, recordPaths.webhook);
    const id = Number(params.id);
    const now = clock.now();
    const content: DeliveryContent = { eventId: mintId(now), kind: 'webhook_test' };
    const expires = new Date(now.getTime() + 86_400_000);
    const workItem = { id: deliveryId(content.eventId), due: expires, content, expires };
    const queue = webhookWorkQueue(accountOf(caller), id);
    await transact(enqueueWrites(queue, workItem, now), Date.now() + 60_000);
    return { id, did: content.eventId };
  },
  '/underwriting-rules/{id}/tests/{testId}': (caller) => runningRuleTest(ownerOf(caller)),
  '/mails/{mailId}': async (caller) => {
    const { accountId } = ownerOf(caller);
    const { id } = await plantMail(
      { accountId },
      { rawKey: 'mail/raw', rawExpiresAt: '2099-01-01T00:00:00.000Z' },
    );
    return { mailId: id };
  },
  '/billing/unmatched-payments/{unmatchedId}': async (caller) => ({
    unmatchedId: await plantUnmatched(accountOf(caller)),
  }),
};

const scenes: Scenes = {
  records: { ...records, ...planted },
  requests: {
    ...requests,
    // The type of a child account has all permissions, because the costs depend on their number.
    'POST /accounts': async (caller) => ({
      fields: {
        accountTypeId: (await accountType(ownerOf(caller))).id,
        adminEmail: `agent.${caller.unique()}@example.com`,
      },
    }),
    'PUT /accounts/{id}/type': async (caller) => ({
      body: { accountTypeId: (await accountType(ownerOf(caller))).id },
    }),
    'PUT /accounts/{id}/permissions': { body: { permissions: ['readLeads'] } },
    'POST /auth/factors': async (caller) => ({ by: await memberOf(caller) }),
    'POST /auth/factors/{factorId}/confirm': async (caller) => {
      const by = await memberOf(caller);
      const { factor, secret = '' } = await by.owner.admin.ok(createFactor, {
        body: { type: 'totp', name: 'Phone' },
      });
      return { by, params: { factorId: factor.id }, body: withCode(secret) };
    },
    'GET /auth/sso/start': async (caller) => {
      const { connection } = await connectedProvider(caller);
      const { accountId, id: connectionId } = connection;
      return { query: { accountId, connectionId: String(connectionId), codeChallenge: 'a'.repeat(43) } };
    },
    'GET /auth/sso/callback': async (caller) => {
      const { provider, connection, claims } = await connectedProvider(caller);
      const { location, cookie } = await began(connection);
      const by = callerOf({ ...ownerOf(caller), admin: client({ cookie }) });
      return { by, query: provider.authorize(location, claims) };
    },
    'POST /auth/sso/exchange': async (caller) => {
      const { provider, connection, claims } = await connectedProvider(caller);
      const { code, codeVerifier } = await codeFor(provider, connection, claims);
      return { body: { code, codeVerifier } };
    },
    'POST /auth/sso/logout/{accountId}/{connectionId}': async (caller) => {
      const { provider, connection, claims } = await connectedProvider(caller);
      await signedIn(provider, connection, claims);
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      const token = await provider.sign({ aud: connection.clientId, sub: claims.sub, jti: '1', events });
      const { accountId, id: connectionId } = connection;
      return { params: { accountId, connectionId }, body: { logout_token: token } };
    },
    'DELETE /users/{email}/identity': async (caller) => {
      const { provider, connection, claims } = await connectedProvider(caller);
      await signedIn(provider, connection, claims);
      return { params: { email: claims.email } };
    },
    'POST /auth/recovery-codes': async (caller) => {
      const by = await memberOf(caller);
      await addFactor(by.owner.admin);
      return { by };
    },
    'POST /auth/login/verify': async (caller) => {
      const ada = await member(ownerOf(caller));
      const { secret } = await addFactor(ada.client);
      return { body: withCode(secret, { challenge: await challengeOf(ada) }) };
    },
    'POST /auth/logout': signedInKey,
    'POST /auth/logout-all': signedInKey,
    'POST /applications/{applicationId}/submit': takesIncomplete,
    'POST /extapi/applications/{externalId}/submit': takesIncomplete,
    'POST /applications/{applicationId}/partner-sync': acceptedByPartner,
    'GET /notifications': notified,
    'POST /notifications/mark-all-read': notified,
    'GET /received-invoices': async (caller, params) => ({
      ...(typeof receivedInvoice === 'function' ? await receivedInvoice(caller, params) : {}),
      query: { from: '2026-01-01', to: '2026-03-31' },
    }),
    ...Object.fromEntries(
      ['', '/{id}', '/{id}/lines', '/{id}/lines/{line}/explain', '/{id}/print', '/{id}/proof'].map((path) => [
        `GET /received-residual-statements${path}`,
        receivedStatement,
      ]),
    ),
    'GET /residual-statements/{id}/proof': sealed,
    'GET /received-invoices/{invoiceId}': receivedInvoice,
    'GET /received-invoices/{invoiceId}/print': receivedInvoice,
    'POST /billing/provider/{accountId}/notifications': signedElsewhere(
      'POST /billing/provider/{accountId}/notifications',
    ),
    'POST /integrations/partner/{accountId}/events': signedElsewhere(
      'POST /integrations/partner/{accountId}/events',
    ),
    'POST /domains/{id}/validate': publishedDomain,
    'POST /mail-domains/{id}/validate': publishedMailDomain,
    'POST /mail-addresses': addressInProvedDomain,
    'POST /tickets/{ticketId}/mails': fromAddress,
    'POST /leads/{leadId}/mails': fromAddress,
    'POST /applications/{applicationId}/mails': fromAddress,
    'POST /mails/{mailId}/move': async (caller) => {
      const { params } = await createAt(caller, recordPaths.lead);
      return { body: { recordType: 'lead', recordId: String(params.leadId) } };
    },
    'POST /mails/{mailId}/release': async (caller) => {
      const { params } = await createAt(caller, recordPaths.lead);
      const held = { state: 'held', recordType: 'lead', recordId: String(params.leadId) } as const;
      return { params: { mailId: (await plantMail(ownerOf(caller), held)).id } };
    },
    'POST /domains/{id}/activate': async (caller, params) => {
      await perform(caller, 'POST /domains/{id}/validate', { params });
      return {};
    },
    'POST /auth/password-reset': async (caller) => {
      const { params } = await createAt(caller, recordPaths.user);
      const token = await mailedToken(String(params.email), ownerOf(caller));
      return { body: { token, password: 'a password of their own' } };
    },
    'POST /users/{email}/accounts/{accountId}/membership': async (caller) => {
      const { params } = await requestOf(caller, 'DELETE /users/{email}/accounts/{accountId}/membership');
      const token = await mailedToken(String(params?.email), ownerOf(caller));
      return { params, body: { token } };
    },
    'DELETE /users/{email}/accounts/{accountId}/membership': invitedStranger,
    'POST /webhooks/{id}/recover': () => ({
      body: { since: new Date(clock.now().getTime() - 3_600_000).toISOString() },
    }),
  },
};

/** A successful request of the owner: new records in the path, the example body, and the administrator's session. */
export async function happyPath({ contract }: { contract: Contract }, owner: Tenant): Promise<HappyPath> {
  const { accountId: account } = owner;
  // The first request that needs data keys creates them. Creates them here, so that the tested request does not.
  if (contract.sensitive) await openDataKeys({ account, keep: true, deadline: Date.now() + 60_000 });
  const caller = callerOf(owner);
  const { by = caller, ...sent } = await requestOf(caller, nameOf(contract));
  const isPublic = contract.access === 'public' && by === caller;
  return { ...sent, headers: isPublic ? {} : ownerOf(by).admin.headers };
}

/** Throws an error with instructions if the request failed. */
export function expectHappy({ contract }: Endpoint, { status, body }: CallResponse<unknown>): void {
  // `ANY` is the method of the default route, which only returns errors.
  const wanted = contract.method === 'ANY' ? 405 : successStatus(contract);
  const advice =
    `${nameOf(contract)} has no happy path, but responds with ${status}: ${JSON.stringify(body)}. ` +
    'Add its needs to the table `requests` in infra/scenes/requests.ts.';
  expect(status, advice).toBe(wanted);
}

/** Path parameters of an existing and of an unknown record. */
interface Named {
  real: Params;
  nowhere: Params;
}

/** Ids of records that do not exist. Numbers are based on the time, and no record gets the largest one before 2094. */
const unknown: Readonly<Record<string, string>> = {
  accountId: 'acc_nowhere',
  bulkId: `bulk_${'0'.repeat(32)}`,
  table: 'no name',
  field: 'no name',
};

const unknownOf = ([name, value]: [string, string | number]): string | number => {
  if (typeof value === 'number') return Number.MAX_SAFE_INTEGER;
  if (value.startsWith('user:')) return `user:${Number.MAX_SAFE_INTEGER}`;
  return value.startsWith('acc_') ? 'acc_nowhere' : (unknown[name] ?? `nobody-${value}`);
};

/** Creates a record of the owner for an endpoint's path. */
export async function newRecordFor({ contract }: Endpoint, owner: Tenant): Promise<Named> {
  const caller = callerOf(owner);
  const { params: real } = await createAt(caller, await recordPathOf(caller, contract.path));
  // The field of a lookup option exists in every account, and the payment 1 in every payout.
  const exists = (name: string) => 'id' in real && ['table', 'field', 'n'].includes(name);
  const nowhere = Object.fromEntries(
    Object.entries(real).map((param) => [param[0], exists(param[0]) ? param[1] : unknownOf(param)] as const),
  );
  return { real, nowhere };
}

const kept = new Map<string, Promise<Named>>();

/** A record of the owner for an endpoint's path, cached. */
export async function recordFor(endpoint: Endpoint, owner: Tenant): Promise<Named> {
  const path = `${owner.accountId} ${await recordPathOf(callerOf(owner), endpoint.contract.path)}`;
  const record = kept.get(path) ?? newRecordFor(endpoint, owner);
  kept.set(path, record);
  return record;
}
