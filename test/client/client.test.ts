import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { bundleClient } from '../../infra/client/build-client.ts';
import { createClient, ResponseError, verifyWebhook } from '../../infra/client/client.ts';
import project from '../../package.json' with { type: 'json' };
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { compileErrors, installClient, programs } from './example.ts';

test('the manifest of the package has the version of the project', async () => {
  const folder = temporaryFolder();
  await bundleClient(folder);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(version).toBe(project.version);
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}
type Answer = [status: number, body: object, headers?: Record<string, string>];

/** Starts an API that responds with `answer`. A login returns the next of the tokens t1, t2, … */
async function api(answer: (request: Seen, n: number) => Answer | 'reset') {
  const seen: Seen[] = [];
  let signIns = 0;
  const respond = (request: Seen, response: ServerResponse) => {
    if (request.url === '/auth/login') signIns += 1;
    else seen.push(request);
    const answered: Answer | 'reset' =
      request.url === '/auth/login' ? [200, { token: `t${signIns}` }] : answer(request, seen.length);
    if (answered === 'reset') return void response.socket?.resetAndDestroy();
    const [status, body, headers] = answered;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    respond({ method, url, headers, body }, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { baseUrl, key: { baseUrl, apiKey: 'k', apiSecret: 's' }, seen, signIns: () => signIns };
}

const error = (status: number, code: string, headers = {}): Answer => [
  status,
  { error: code, status, message: 'A sentence.', requestId: 'r1', details: [{ field: 'a', message: 'b' }] },
  headers,
];

test('a client with a password signs in again if a request needs a fresh proof, but not for other errors', async () => {
  const service = await api(({ headers }) =>
    headers.authorization === 'Bearer t1' ? error(403, 'step_up_required') : [200, { id: 1 }],
  );
  const { baseUrl } = service;
  const ada = createClient({ baseUrl, email: 'ada@example.com', password: 'p', account: 'acme' });
  expect((await ada.POST('/webhooks', { body: {} })).data).toEqual({ id: 1 });
  expect(service.signIns()).toBe(2);
  const [first, second] = service.seen.map(({ headers }) => headers['idempotency-key']);
  expect(first).toBe(second);
  const denied = await api(() => error(403, 'permission_denied'));
  const ben = createClient({ ...denied.key });
  await expect(ben.POST('/webhooks', { body: {} })).rejects.toMatchObject({ code: 'permission_denied' });
  expect(denied.signIns()).toBe(1);
  const token = createClient({ baseUrl, token: 't1' });
  await expect(token.POST('/webhooks', { body: {} })).rejects.toMatchObject({ code: 'step_up_required' });
});

test('concurrent requests share one sign-in, and share a second sign-in after the session has ended', async () => {
  const { key, seen, signIns } = await api(({ headers }) =>
    headers.authorization === 'Bearer t1' ? error(401, 'not_authenticated') : [200, {}],
  );
  const client = createClient(key);
  await Promise.all([1, 2, 3].map(() => client.GET('/teams')));
  expect(signIns()).toBe(2);
  expect(seen.map(({ headers }) => headers.authorization).sort()).toEqual([
    ...['Bearer t1', 'Bearer t1', 'Bearer t1'],
    ...['Bearer t2', 'Bearer t2', 'Bearer t2'],
  ]);
});

test('a client with a fixed token does not repeat a request after 401', async () => {
  const { baseUrl, seen, signIns } = await api(() => error(401, 'not_authenticated'));
  const client = createClient({ baseUrl, token: 'mine', account: 'acc_1' });
  await expect(client.GET('/teams')).rejects.toMatchObject({ code: 'not_authenticated' });
  expect(seen.map(({ headers }) => [headers.authorization, headers['x-account-id']])).toEqual([
    ['Bearer mine', 'acc_1'],
  ]);
  expect(signIns()).toBe(0);
});

test('a merchant’s client sends appKey and acctId in the query of each request', async () => {
  const { baseUrl, seen } = await api(() => [200, {}]);
  const client = createClient({ baseUrl, appKey: 'app', account: 'acc_1' });
  await client.GET('/applications/{applicationId}', { params: { path: { applicationId: 'a b' } } });
  expect(seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/applications/a%20b?appKey=app&acctId=acc_1', undefined],
  ]);
});

test.each([429, 503])(
  'after %i, a POST is repeated after Retry-After with the same Idempotency-Key',
  async (status) => {
    const { key, seen } = await api((_, n) =>
      n === 1 ? error(status, 'busy', { 'retry-after': '1' }) : [201, { id: 1 }],
    );
    const began = Date.now();
    const { data } = await createClient(key).POST('/leads', { body: { firstName: 'Ada' } });
    expect(data).toEqual({ id: 1 });
    expect(Date.now() - began).toBeGreaterThanOrEqual(1000);
    const [one, two] = seen;
    expect(seen).toHaveLength(2);
    expect(one?.headers['idempotency-key']).toMatch(/^[\w-]{36}$/);
    expect(two?.headers['idempotency-key']).toBe(one?.headers['idempotency-key']);
    expect(two?.body).toBe('{"firstName":"Ada"}');
  },
);

test('a request is not repeated if Retry-After is longer than a minute', async () => {
  const { key, seen } = await api(() => error(429, 'too_many_requests', { 'retry-after': '61' }));
  await expect(createClient(key).GET('/teams')).rejects.toMatchObject({ code: 'too_many_requests' });
  expect(seen).toHaveLength(1);
  // AWS WAF asks for exactly a minute.
  const limited = await api(() => error(429, 'too_many_requests', { 'retry-after': '60' }));
  const signal = AbortSignal.timeout(100);
  await expect(createClient(limited.key).GET('/teams', { signal })).rejects.toThrow('timeout');
});

test('after a lost connection, a POST is repeated with the same Idempotency-Key, and a DELETE is not repeated', async () => {
  const { key, seen } = await api((_, n) => (n === 2 ? [200, {}] : 'reset'));
  const client = createClient(key);
  await client.POST('/teams', { body: {}, headers: { 'Idempotency-Key': 'row-1' } });
  expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['row-1', 'row-1']);
  const remove = client.DELETE('/teams/{id}', { params: { path: { id: 1 } } });
  await expect(remove).rejects.toThrow('fetch failed');
  expect(seen).toHaveLength(3);
});

test('a request is repeated at most `retries` times, and fails as soon as its signal is aborted', async () => {
  const { key, seen } = await api(() => error(503, 'busy'));
  await expect(createClient({ ...key, retries: 2 }).GET('/teams')).rejects.toMatchObject({ status: 503 });
  expect(seen).toHaveLength(3);
  const slow = await api(() => error(503, 'busy', { 'retry-after': '50' }));
  const signal = AbortSignal.timeout(100);
  await expect(createClient(slow.key).GET('/teams', { signal })).rejects.toThrow('timeout');
});

test('an error response throws a ResponseError with code, status, request id and details', async () => {
  const { key } = await api(() => error(400, 'invalid_input'));
  const failed: unknown = await createClient(key)
    .GET('/teams')
    .catch((reason: unknown) => reason);
  expect(failed).toBeInstanceOf(ResponseError);
  expect(failed).toMatchObject({
    code: 'invalid_input',
    status: 400,
    requestId: 'r1',
    message: 'A sentence.',
    details: [{ field: 'a', message: 'b' }],
  });
  const proxy = await api(() => [418, ['not an Error object']]);
  await expect(createClient(proxy.key).GET('/teams')).rejects.toMatchObject({ code: 'unexpected_response' });
});

test('list follows the cursor in nextCursor, and the cursor in X-Next-Cursor', async () => {
  const { key, seen } = await api(({ url }): Answer => {
    const next = url.endsWith('cursor=') ? 'c2' : null;
    const data = next ? [1, 2] : [3];
    return url.startsWith('/teams')
      ? [200, { data, nextCursor: next }]
      : [200, data, { ...(next && { 'x-next-cursor': next }) }];
  });
  const client = createClient(key);
  for (const path of ['/teams', '/lookup'] as const) {
    const items: unknown[] = [];
    for await (const item of client.list(path, { params: { query: { sort: 'name' } } })) items.push(item);
    expect(items).toEqual([1, 2, 3]);
  }
  expect(seen.map(({ url }) => url)).toEqual([
    ...['/teams?sort=name&cursor=', '/teams?sort=name&cursor=c2'],
    ...['/lookup?sort=name&cursor=', '/lookup?sort=name&cursor=c2'],
  ]);
});

test('list requests a page only when its records are needed', async () => {
  const { key, seen } = await api(() => [200, { data: [1], nextCursor: 'more' }]);
  for await (const _ of createClient(key).list('/teams')) break;
  expect(seen).toHaveLength(1);
});

test('preview sends the request with dryRun=true', async () => {
  const { key, seen } = await api(() => [200, { dryRun: true, answer: { id: 1 }, changes: [], events: [] }]);
  const { answer } = await createClient(key).preview('POST', '/teams', { body: { name: 'East' } });
  expect(answer).toEqual({ id: 1 });
  expect(seen).toMatchObject([{ method: 'POST', url: '/teams?dryRun=true', body: '{"name":"East"}' }]);
});

test('verifyWebhook returns a signed body, and rejects wrong signatures, old timestamps and missing headers', () => {
  const secret = `whsec_${Buffer.from('a secret of some length').toString('base64')}`;
  const body = JSON.stringify({ type: 'lead_created', data: { text: 'é' } });
  const signed = (at: Date, text = body) => ({
    'Webhook-Id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': `v1,wrong ${new Webhook(secret).sign('evt_1', at, text)}`,
  });
  const now = new Date();
  expect(verifyWebhook(body, signed(now), secret)).toEqual(JSON.parse(body));
  expect(verifyWebhook(Buffer.from(body), new Headers(signed(now)), secret)).toEqual(JSON.parse(body));
  expect(() => verifyWebhook(`${body} `, signed(now), secret)).toThrow('No matching signature found');
  const old = new Date(now.getTime() - 301_000);
  expect(() => verifyWebhook(body, signed(old), secret)).toThrow('Message timestamp too old');
  expect(() => verifyWebhook(body, {}, secret)).toThrow('Missing required headers');
  const text = 'not JSON';
  expect(() => verifyWebhook(text, signed(now, text), secret)).toThrow(/JSON/);
});

test('the package has at most 20 KB of code and no imports or dependencies, and the programs in its README compile without a cast', async () => {
  const folder = temporaryFolder();
  const installed = await installClient(folder);
  const code = readdirSync(installed).filter((name) => name.endsWith('.js'));
  expect(code).toEqual(['client.js']);
  expect(statSync(join(installed, 'client.js')).size).toBeLessThanOrEqual(20 * 1024);
  expect(readFileSync(join(installed, 'client.js'), 'utf8')).not.toMatch(
    /\bimport\s*[({"'\w]|\brequire\(["']/,
  );
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  expect(Object.keys(manifest)).not.toContain('dependencies');
  for (const program of programs()) expect(program).not.toMatch(/\bas (?!const)|<\w+>[\w(]|!\.|\bany\b/);
  const wrong = `
    import { createClient, ResponseError, verifyWebhook } from 'merchant-ops-client';
    const client = createClient({ baseUrl: 'https://api.example.com', token: 't' });
    export const noInput = () => client.GET('/permissions');
    export const unknownPath = () => client.GET('/nowhere');
    export const missingBody = () => client.POST('/leads');
    export const wrongBody = () => client.POST('/leads', { body: { firstName: 1, lastName: 'B' } });
    export const misspelt = () => client.POST('/leads', { body: { firstName: 'A', lastName: 'B', emial: 'a@b.c' } });
    export const isUnknown = (error: ResponseError) => error.code === 'no_such_code';
    export const isNoKind = verifyWebhook('', {}, '').type === 'no_such_kind';
  `;
  const correct = programs().map((program, n) => [`program-${n}`, program]);
  const errors = await compileErrors(folder, { ...Object.fromEntries(correct), wrong });
  expect(
    [...errors.matchAll(/^(\S+)\((\d+),\d+\): error/gm)].map(([, file, line]) => [file, Number(line)]),
  ).toEqual([5, 6, 7, 8, 9, 10].map((line) => ['wrong.ts', line]));
});
