import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uploadFile } from '../../infra/administration/upload-file.ts';
import { endpointStacks, servingStackNames } from '../../infra/endpoint-stacks.ts';
import type { ApiClient } from '../../infra/operations/api-client.ts';
import type { PresignedRequest } from '../../shared/documents/bucket.ts';
import { queueNames } from '../../shared/events/queues.ts';
import { signedHeaders } from '../../shared/messaging/webhooks/signature.ts';
import { httpApis, logEvents } from './aws.ts';
import { deployedFunctions } from './deployed-functions.ts';
import { type Deployment, deploy, signIn } from './deployment.ts';
import { type Emulator, startEmulator } from './emulator.ts';
import { followEvent } from './follow-event.ts';
import { lagsSince, sendHealthCheck } from './lag-alarms.ts';
import { adaptPolicies, roleOf, setRights } from './roles.ts';
import { operate } from './run-program.ts';

/** Enforces IAM policies. */
let emulator: Emulator;
let deployment: Deployment;
/** A time, in milliseconds since 1970, at which the relay already had the adapted permissions. */
let adaptedAt: number;

beforeAll(async () => {
  emulator = await startEmulator({ enforcesIam: true });
  deployment = await deploy(emulator);
  await adaptPolicies(emulator);
});
afterAll(() => emulator?.stop());

const smoke = () => {
  const { apiKey: API_KEY, apiSecret: API_SECRET } = deployment.credentials;
  const environment = { ...emulator.environment, API_KEY, API_SECRET };
  return operate(environment, 'smoke-tests', 'run', '--base-url', deployment.baseUrl, '--stage', 'local');
};

/**
 * Sends requests that the smoke test does not send: files of tickets, links to files, users by email, settings of the account,
 * rotations, teams, views, participants, invoices, bank statements, and events of the partner and of the payment provider.
 */
async function sendOtherRequests({ key, administrator }: Awaited<ReturnType<typeof signIn>>): Promise<void> {
  const about =
    (record: string) =>
    <T>(method: string, path: string, body?: object) =>
      key.send<T>(method, `${record}${path}`, { body });
  const { id } = await key.send<{ id: string }>('POST', '/applications', { body: {} });
  const application = about(`/applications/${id}`);
  const document = await uploadFile(application, { documentKey: 'voided-check' });
  await application('GET', `/documents/${document}/link`);
  const { uniqueId } = await key.send<{ uniqueId: string }>('POST', '/tickets', {
    body: {
      subject: 'Printer',
      description: 'It prints no receipts.',
      category: 'technical',
      requesterType: 'application',
      requesterId: id,
      requesterName: 'Ada Byron',
      requesterEmail: 'ada@example.com',
    },
  });
  const ticket = about(`/tickets/${uniqueId}`);
  const photo = await uploadFile(ticket, { type: 'photo' });
  const { url } = await ticket<{ url: string }>('GET', `/documents/${photo}/link`);
  expect((await fetch(url)).status).toBe(200);
  const { adminEmail: email } = deployment.credentials;
  await key.send('POST', '/auth/password-reset-request', { body: { email } });
  const { id: userId } = await key.send<{ id: number }>('GET', `/users/${encodeURIComponent(email)}`);
  // Runs the functions with the rights for second factors. A factor needs a password that was set with a mailed token, so
  // test/people/factors.test.ts uses these rights.
  for (const path of ['/auth/factors/1/confirm', '/auth/login/verify', '/auth/login/passkey']) {
    const headers = { 'content-type': 'application/json' };
    const { status } = await fetch(deployment.baseUrl + path, { method: 'POST', headers, body: '{}' });
    expect([200, 400, 401]).toContain(status);
  }
  await administrator.send('POST', '/auth/step-up', {
    body: { password: deployment.credentials.adminPassword },
  });
  for (const path of ['/auth/factors/1', '/users/nobody%40example.com/factors']) {
    await expect(administrator.send('DELETE', path), path).rejects.toThrow('404');
  }
  // Runs the functions with the rights for single sign-on. A sign-in needs an identity provider, so the tests in
  // test/single-sign-on use the other rights.
  const { id: connectionId } = await administrator.send<{ id: number }>('POST', '/sso-connections', {
    body: {
      issuer: 'https://login.example.com',
      clientId: 'merchant-ops',
      authentication: 'client_secret_basic',
      clientSecret: 'a secret of the client',
      domains: [],
      returnUrls: ['https://portal.example.com/signed-in'],
    },
  });
  const challenge = `codeChallenge=${'a'.repeat(43)}`;
  const exchange = { code: 'none', codeVerifier: 'a'.repeat(43) };
  const atProvider: [string, object | undefined, number][] = [
    [`/auth/sso/start?domain=example.com&${challenge}`, undefined, 404],
    ['/auth/sso/callback?state=none', undefined, 400],
    ['/auth/sso/exchange', exchange, 400],
    [`/auth/sso/logout/${deployment.credentials.accountId}/1`, { logout_token: 'none' }, 404],
  ];
  for (const [path, body, wanted] of atProvider) {
    const headers = { 'content-type': 'application/json' };
    const sent = body && { method: 'POST', headers, body: JSON.stringify(body) };
    expect((await fetch(deployment.baseUrl + path, sent)).status, path).toBe(wanted);
  }
  await administrator.send('PATCH', `/sso-connections/${connectionId}`, { body: { clientId: 'another' } });
  await administrator.send('DELETE', `/sso-connections/${connectionId}`);
  await administrator.send('PATCH', `/accounts/${deployment.credentials.accountId}`, {
    body: { country: 'US' },
  });
  const domain = await administrator.send<{ id: number }>('POST', '/domains', {
    body: { domain: 'pay.example.com' },
  });
  await administrator.send('DELETE', `/domains/${domain.id}`);
  // Nobody sends a mail to the emulated cloud, so test/correspondence uses the rights for received mails.
  const { id: mailDomainId } = await administrator.send<{ id: number }>('POST', '/mail-domains', {
    body: { domain: 'mail.example.com' },
  });
  await administrator.send('POST', `/mail-domains/${mailDomainId}/validate`);
  await expect(key.send('GET', '/mails/1/raw')).rejects.toThrow('not_found');
  const account = `/accounts/${deployment.credentials.accountId}`;
  const type = await administrator.send<{ id: number }>('POST', '/account-types', {
    body: { name: 'Agent', permissions: ['readLeads'] },
  });
  await administrator.send('POST', '/accounts', {
    body: { name: 'Agents', accountTypeId: type.id, adminEmail: 'agent@example.com' },
  });
  // An account that is open has no export.
  await expect(administrator.send('GET', `${account}/export`)).rejects.toThrow();
  await administrator.send('PUT', `${account}/body-capture`, { body: { days: 1 } });
  const rotation = { name: 'Faults', userRotationArray: [{ userId: email, weight: 1 }] };
  const turns = await key.send<{ uniqueId: string }>('POST', '/ticket-rotations', { body: rotation });
  await key.send('POST', `/ticket-rotations/${turns.uniqueId}/simulate`, { body: { count: 1 } });
  await key.send('POST', '/teams', { body: { name: 'Faults' } });
  const { data } = await key.send<{ data: { id: number }[] }>('GET', '/events?kind=team_created&pageSize=1');
  await key.send('POST', `/events/${data[0]?.id}/request-body`, { body: { reason: 'A test.' } });
  await administrator.send('DELETE', `${account}/body-capture`);
  await key.send('POST', '/views', {
    body: { resource: 'lead', name: 'Open', query: {}, sharedWith: 'me' },
  });
  const { secret } = await key.send<{ secret: string }>('PUT', '/integrations/partner/connection', {
    body: { url: 'https://example.com/partner', active: true },
  });
  expect(await signedEventStatus('/integrations/partner/{}/events', secret)).toBe(202);
  const merchant = await key.send<{ id: number }>('POST', '/merchants', { body: { merchantName: 'Faults' } });
  await key.send('PUT', `/merchants/${merchant.id}/participants`, { body: { participants: [email] } });
  const lines = [{ description: 'Fee', quantity: 1, unitAmount: 100 }];
  const to = { customerType: 'merchant', customerId: String(merchant.id), currency: 'USD' };
  const invoice = await key.send<{ id: number }>('POST', '/invoices', { body: { ...to, lines } });
  await key.send('POST', `/invoices/${invoice.id}/open`);
  await key.send('GET', `/invoices/${invoice.id}`);
  await uploadStatement(key, 'date,amount,text\n2026-03-02,1.00,INV-000001\n');
  await uploadResiduals(key, 'MID,Net\n4445012345678,12.34\n');
  const payoutAccount = `/payout-accounts/user:${userId}`;
  await administrator.send('PUT', payoutAccount, {
    body: {
      ...{ holderName: 'Grace Hopper', holderType: 'person', routingNumber: '011000015' },
      ...{ accountNumber: '000987654321', accountType: 'savings' },
    },
  });
  await administrator.send('GET', `${payoutAccount}?reveal=true`);
  const provider = await key.send<{ secret: string }>('PUT', '/billing/provider', {
    body: { name: 'Faults', active: true },
  });
  expect(await signedEventStatus('/billing/provider/{}/notifications', provider.secret)).toBe(202);
}

/** Uploads a bank statement, and waits until its payment is recorded. */
async function uploadStatement({ send }: ApiClient, text: string): Promise<void> {
  const statements = '/billing/bank-statements';
  const sha256 = createHash('sha256').update(text).digest('hex');
  const { id, upload } = await send<{ id: number; upload: PresignedRequest }>('POST', statements, {
    body: { fileName: 'march.csv', size: text.length, sha256 },
  });
  const { method, headers } = upload;
  expect((await fetch(upload.url, { method, headers, body: text })).status).toBe(200);
  await send('POST', `${statements}/${id}/complete`);
  await expect
    .poll(() => send('GET', `${statements}/${id}`))
    .toMatchObject({ status: 'completed', matched: 1 });
}

/** Uploads a file of residuals, and waits until its rows are stored. */
async function uploadResiduals({ send }: ApiClient, text: string): Promise<void> {
  const columns = { mid: 'MID', net: { add: ['Net'] } };
  await send('POST', '/residual-formats', { body: { name: 'Plain', processor: 'Northwind', columns } });
  const sha256 = createHash('sha256').update(text).digest('hex');
  const { id, upload } = await send<{ id: number; upload: PresignedRequest }>('POST', '/residual-files', {
    body: { processor: 'Northwind', month: '2026-10', fileName: 'october.csv', size: text.length, sha256 },
  });
  const { method, headers } = upload;
  expect((await fetch(upload.url, { method, headers, body: text })).status).toBe(200);
  await send('POST', `/residual-files/${id}/complete`, { body: {} });
  await expect.poll(() => send('GET', `/residual-files/${id}`)).toMatchObject({ state: 'read', rows: 1 });
}

/** Sends an event to the account with a signature, as a partner does. Returns the status of the response. */
async function signedEventStatus(path: string, secret: string): Promise<number> {
  const now = new Date();
  const event = { type: 'test', timestamp: now.toISOString(), data: {} };
  const body = Buffer.from(JSON.stringify(event));
  const headers = {
    'content-type': 'application/json',
    ...signedHeaders(body, [secret], 'evt_1', now),
  };
  const { accountId } = deployment.credentials;
  const url = deployment.baseUrl + path.replace('{}', accountId);
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

// Sets `adaptedAt`. The relay processes records in order, so when this health check has reached every queue, all runs
// without permission have ended. The emulator gives each log line the time at which its run ended, so log lines after
// `adaptedAt` are from runs with permission.
test('a health check reaches every queue', async () => {
  const now = Date.now();
  await sendHealthCheck(emulator);
  const missing = async () => {
    const lags = (await lagsSince(emulator, now)).filter(({ at, seconds }) => at - seconds * 1000 >= now);
    return queueNames.filter((name) => lags.every(({ queue }) => queue !== name));
  };
  await expect.poll(missing).toEqual([]);
  adaptedAt = Date.now();
});

test('every role has all permissions that its functions need', async () => {
  const { code, stdout } = await smoke();
  expect([code, stdout.match(/^FAILED.*/gm)]).toEqual([0, null]);
  await followEvent(emulator, deployment);
  await sendOtherRequests(await signIn(deployment));

  const functions = deployedFunctions(deployment).map(({ name, role }) => ({
    name,
    role: JSON.stringify(role),
  }));
  const all = new Set(functions.map(({ role }) => role));
  expect(all.size).toBeGreaterThan(20);
  const idle = () => {
    const ran = new Set(
      [...emulator.log().matchAll(/Lambda worker spawned for (\S+)/g)].map(([, name]) => name),
    );
    const busy = new Set(functions.filter(({ name }) => ran.has(name)).map(({ role }) => role));
    return [...all].filter((role) => !busy.has(role));
  };
  await expect.poll(idle).toEqual([]);
  expect(await denials()).toEqual([]);
});

test('every path of the API document is served under one address', async () => {
  const { paths } = (await (await fetch(`${deployment.baseUrl}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((key) => ['get', 'post', 'put', 'patch', 'delete'].includes(key))
      .map((method) => ({ method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, '1') })),
  );
  expect(operations.length).toBeGreaterThan(250);
  const wrong: string[] = [];
  const remaining = operations.values();
  const call = async () => {
    for (const { method, path } of remaining) {
      const body = method === 'GET' ? undefined : '{}';
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(deployment.baseUrl + path, { method, headers, body });
      const text = await response.text();
      // An endpoint responds with an error of the API. API Gateway's own errors have only a message. Errors of SCIM have no
      // code, so only the one for a missing credential counts.
      const isServed =
        response.ok ||
        (/"error":"\w+"|scim:api:messages:2\.0:Error"\],"status":"401"/.test(text) &&
          !/route_not_found|method_not_allowed|internal/.test(text));
      if (!isServed) wrong.push(`${method} ${path}: ${response.status} ${text.slice(0, 100)}`);
    }
  };
  await Promise.all(Array.from({ length: 3 }, call));
  expect(wrong).toEqual([]);
});

test('an API behind the front rejects requests that do not come from the front', async () => {
  const behind = (await httpApis(emulator)).filter(({ name }) => /^merchant-ops-local-/.test(name));
  expect(behind.map(({ name }) => name).sort()).toEqual(
    endpointStacks.map(({ name }) => `merchant-ops-local-${name}`).sort(),
  );
  for (const { name, apiId } of behind) {
    const segments = endpointStacks.find((stack) => name.endsWith(stack.name))?.segments ?? [];
    const url = `${emulator.endpoint}/_aws/execute-api/${apiId}/$default/${segments[0]}`;
    const status = async (headers: Record<string, string>) => (await fetch(url, { headers })).status;
    expect([await status({}), await status({ 'x-origin-token': 'x'.repeat(64) })], name).toEqual([401, 403]);
  }
});

/** Returns the logged AccessDenied errors. Ignores sends of the relay that failed before `adaptedAt`. */
async function denials(): Promise<string[]> {
  const groups = [...servingStackNames, 'events'].map((part) => `/merchant-ops-local/${part}`);
  const found = await Promise.all(groups.map((group) => logEvents(emulator, group)));
  return found
    .flat()
    .filter(({ message }) => message.includes('AccessDenied'))
    .filter(({ message, timestamp }) => timestamp >= adaptedAt || !message.includes('"failed":"send"'))
    .map(({ message }) => message);
}

/** Removes a statement from the policy of a function's role. Returns a function that restores it. */
async function removePermission(functionName: string, sid: string): Promise<() => Promise<void>> {
  const called = deployedFunctions(deployment).find(
    ({ name }) => name === `merchant-ops-local-${functionName}`,
  );
  const { template = '', logicalId = '' } = called?.role ?? {};
  const found = await roleOf(emulator, `merchant-ops-local-${template.split('.')[0]}`, logicalId);
  const statements = found.statements.filter(({ Sid }) => Sid !== sid);
  expect(statements).toHaveLength(found.statements.length - 1);
  await setRights(emulator, { ...found, statements });
  return () => setRights(emulator, found);
}

// Removes only permissions that every request needs. Secrets and data keys are cached, so a request can succeed without
// the permissions to read them.
test.each([
  ['leads-list-leads', 'Query', 'lists are read: GET /leads returned 500'],
  [
    'applications-create-application-document',
    'Upload',
    'the merchant uploads the required documents: The bucket returned 403',
  ],
  [
    'applications-complete-application-document',
    'ReadUpload',
    'the merchant uploads the required documents: ',
  ],
])('if the function %s does not have the permission %s, the smoke test fails', async (name, sid, step) => {
  const restore = await removePermission(name, sid);
  const { code, stdout } = await smoke();
  await restore();
  expect(code).toBe(1);
  expect(stdout).toMatch(new RegExp(`^FAILED.* ${step}`, 'm'));
});

test('the relay logs messages that it is not allowed to send', async () => {
  const restore = await removePermission('events-relay', 'SendMessages');
  await sendHealthCheck(emulator);
  await expect.poll(denials).toContainEqual(expect.stringContaining('"failed":"send"'));
  await restore();
});
