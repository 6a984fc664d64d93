import { type IncomingHttpHeaders, request } from 'node:http';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { AddEndpoints } from '../../infra/local/console/add-endpoints.ts';
import { createConsole } from '../../infra/local/console/console.ts';
import { liveUpdates } from '../../infra/local/console/live-updates.ts';
import { uploadEndpoints } from '../../infra/local/console/upload-endpoints.ts';
import { startGateway } from '../../infra/local/gateway.ts';

/** The number of changes through the console. */
let changes = 0;
const live = liveUpdates();
const groups: AddEndpoints[] = [
  (app) => {
    app.get('/secret', () => ({ value: 'classified' }));
    app.post('/secret', () => {
      changes += 1;
      return {};
    });
  },
  uploadEndpoints('http://127.0.0.1:9'),
];
const site = await createConsole(groups, { live });
const gateway = await startGateway({
  port: 0,
  site,
  corsOrigins: ['https://app.example.com'],
  routes: [
    {
      method: 'ANY',
      path: '$default',
      invoke: async () => ({ statusCode: 404, body: '{"error":"not_found"}' }),
    },
  ],
});
afterAll(async () => {
  await site.stop();
  await gateway.stop();
});
beforeEach(() => {
  changes = 0;
});

const { port } = new URL(gateway.baseUrl);
const own = { host: `127.0.0.1:${port}`, 'x-console-token': site.token };

/** Sends a request with exactly these headers. */
function send(
  path: string,
  headers: Record<string, string | undefined> = {},
  method = 'GET',
): Promise<{ status?: number; headers: IncomingHttpHeaders; body: string }> {
  return new Promise((resolve, reject) => {
    const given = Object.fromEntries(
      Object.entries({ ...own, ...headers }).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    );
    const sent = request({ host: '127.0.0.1', port, path, method, headers: given }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
        // The stream of updates never ends, so the client closes it.
        if (path.endsWith('/live')) response.destroy();
      });
      response.once('close', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    });
    sent.once('error', reject).end();
  });
}

/** Sends the request that reads and the request that changes. Returns their statuses. */
async function tryBoth(headers: Record<string, string | undefined>): Promise<(number | undefined)[]> {
  const responses = [
    await send('/_local/api/secret', headers),
    await send('/_local/api/secret', headers, 'POST'),
  ];
  expect(responses.map(({ body }) => body).join('')).not.toContain('classified');
  return responses.map(({ status }) => status);
}

test.each(['127.0.0.1', 'localhost', '[::1]'])(
  'the console’s own page at %s reads and changes data',
  async (name) => {
    const host = `${name}:${port}`;
    const headers = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
    expect(await send('/_local/api/secret', headers)).toMatchObject({
      status: 200,
      body: '{"value":"classified"}',
    });
    expect(await send('/_local/api/secret', headers, 'POST')).toMatchObject({ status: 200 });
    expect(changes).toBe(1);
  },
);

test.each([
  ['an attacker’s host name', { host: `rebound.example.com:${port}` }],
  ['a host name that contains a loopback name', { host: `localhost.example.com:${port}` }],
  ['a host name that ends with a loopback address', { host: `example.com.127.0.0.1:${port}` }],
  ['another address', { host: `10.0.0.7:${port}` }],
  ['the origin of another site', { origin: 'https://example.com' }],
  ['the origin of another port', { origin: 'http://127.0.0.1:9' }],
  ['another loopback name as origin', { origin: `http://localhost:${port}` }],
  ['an opaque origin', { origin: 'null' }],
  ['an origin of the API’s CORS list', { origin: 'https://app.example.com' }],
  ['a browser’s mark of another site', { 'sec-fetch-site': 'cross-site' }],
  ['a browser’s mark of another port', { 'sec-fetch-site': 'same-site' }],
])('a request with %s cannot read or change anything, even with the token', async (_, headers) => {
  expect(await tryBoth(headers)).toEqual([403, 403]);
  expect((await send('/', headers)).status).toBe(403);
  expect((await send('/_local/page/app.js', headers)).status).toBe(403);
  expect(changes).toBe(0);
});

test.each([
  ['no token', undefined],
  ['an empty token', ''],
  ['a part of the token', site.token.slice(1)],
  ['a wrong token of the same length', 'x'.repeat(site.token.length)],
])('a request with %s cannot read or change anything', async (_, token) => {
  expect(await tryBoth({ 'x-console-token': token })).toEqual([401, 401]);
  const inOtherPlaces = {
    'x-console-token': token,
    authorization: `Bearer ${site.token}`,
    cookie: site.token,
  };
  expect(await tryBoth(inOtherPlaces)).toEqual([401, 401]);
  expect((await send(`/_local/api/live?token=${site.token}`, { 'x-console-token': token })).status).toBe(401);
  expect(changes).toBe(0);
});

test('each start of the console creates a new token of at least 128 bits', async () => {
  const other = await createConsole([]);
  await other.stop();
  expect(other.token).not.toBe(site.token);
  expect(Buffer.from(site.token, 'base64url').length).toBeGreaterThanOrEqual(16);
});

test.each(['/', '/_local/page/app.js', '/_local/api/secret', '/_local/api/live', '/_local/none'])(
  '%s cannot be read by other origins, shown in a frame, or run other scripts',
  async (path) => {
    const { headers } = await send(path);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    const policy = new Map(
      String(headers['content-security-policy'])
        .split('; ')
        .map((part) => part.split(/ (.*)/) as [string, string]),
    );
    expect(policy.get('default-src')).toBe("'none'");
    expect(policy.get('script-src')).toBe("'self'");
    expect(policy.get('frame-ancestors')).toBe("'none'");
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  },
);

test('a CORS preflight of the console is rejected', async () => {
  const preflight = { origin: 'https://app.example.com', 'access-control-request-method': 'POST' };
  const { status, headers } = await send('/_local/api/secret', preflight, 'OPTIONS');
  expect(status).toBe(403);
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
});

test('only the page’s own files are served, and the page contains no data', async () => {
  const without = { 'x-console-token': undefined };
  const { status, body } = await send('/', without);
  expect(status).toBe(200);
  expect(body).not.toContain(site.token);
  for (const path of ['/_local/page/../console.ts', '/_local/page/%2e%2e/console.ts', '/_local/page/'])
    expect((await send(path, without)).status, path).toBe(404);
});

test('requests to all other paths get the responses of the API', async () => {
  for (const path of ['/_localhost', '/_local', '/leads', '/?page=2']) {
    const { status, body, headers } = await send(path, { origin: 'https://app.example.com' });
    expect([path, status, body]).toEqual([path, 404, '{"error":"not_found"}']);
    expect(headers['access-control-allow-origin']).toBe('https://app.example.com');
  }
});

test('an update is sent to the open pages that have the token', async () => {
  const abort = new AbortController();
  const { body } = await fetch(`${gateway.baseUrl}/_local/api/live`, {
    headers: { 'x-console-token': site.token },
    signal: abort.signal,
  });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toContain('connected');
  live.publish('activity', { text: 'two\nlines' });
  expect((await reader?.read())?.value).toBe('event: activity\ndata: {"text":"two\\nlines"}\n\n');
  abort.abort();
});

test.each([
  ['no upload', undefined],
  ['no JSON', 'https://example.com'],
  ['an upload to another address', JSON.stringify({ url: 'http://127.0.0.1:8/bucket/key', headers: {} })],
])('with %s, the console sends no file', async (_, upload) => {
  const response = await fetch(`${gateway.baseUrl}/_local/api/uploads`, {
    method: 'PUT',
    headers: {
      'content-type': 'application/octet-stream',
      'x-console-token': site.token,
      ...(upload !== undefined && { 'x-upload': upload }),
    },
    body: 'content',
  });
  expect([response.status, await response.json()]).toEqual([
    400,
    { message: 'The header x-upload must be a signed upload to the bucket of the service, as JSON.' },
  ]);
});
