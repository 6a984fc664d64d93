import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import handleUnknownRoute from '../../functions/service/handle-unknown-route.ts';
import { startLoopbackServer } from '../../infra/administration/loopback-server.ts';
import { describeApi } from '../../infra/build/api-description.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { type Gateway, type GatewayRoute, largestHead, startGateway } from '../../infra/local/gateway.ts';
import { routeFor, toHttpEvent } from '../../infra/local/http-event.ts';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { lambdaHandler } from '../../shared/http/handler.ts';
import type { HttpEvent } from '../../shared/http/steps.ts';

const routes = [
  { method: 'GET', path: '/leads/{leadId}' },
  { method: 'GET', path: '/leads/newest' },
  { method: 'POST', path: '/leads' },
  { method: 'ANY', path: '$default' },
];

function eventFor(given: { method?: string; target: string; headers?: string[]; body?: Buffer }) {
  const { method = 'GET', target, headers = [], body = Buffer.alloc(0) } = given;
  const match = routeFor(routes, method, target);
  if (!match) throw new Error('no route');
  const now = new Date('2020-03-12T19:03:58.123Z');
  return toHttpEvent({ method, target, headers, body, sourceIp: '127.0.0.1' }, match, now);
}

test('a request becomes an event in API Gateway’s payload format 2.0', () => {
  const event = eventFor({
    method: 'POST',
    target: '/leads?sort=-id&sort=name&search=a%20b',
    headers: Object.entries({
      ...{ Host: 'api.test:3000', 'X-Many': 'one', 'x-many': 'two' },
      ...{ Cookie: 'a=1; b=2', 'User-Agent': 'curl' },
    }).flat(),
    body: Buffer.from('{"name":"Zoë"}'),
  });
  expect(event).toEqual({
    version: '2.0',
    routeKey: 'POST /leads',
    rawPath: '/leads',
    rawQueryString: 'sort=-id&sort=name&search=a%20b',
    cookies: ['a=1', 'b=2'],
    headers: { host: 'api.test:3000', 'x-many': 'one,two', 'user-agent': 'curl' },
    queryStringParameters: { sort: '-id,name', search: 'a b' },
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: 'api.test',
      domainPrefix: 'api',
      http: {
        method: 'POST',
        path: '/leads',
        protocol: 'HTTP/1.1',
        sourceIp: '127.0.0.1',
        userAgent: 'curl',
      },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      routeKey: 'POST /leads',
      stage: '$default',
      time: '12/Mar/2020:19:03:58 +0000',
      timeEpoch: 1584039838123,
    },
    body: '{"name":"Zoë"}',
    isBase64Encoded: false,
  });
});

test('a body that is not UTF-8 is encoded in base64', () => {
  const body = Buffer.from([0xff, 0x00, 0x80]);
  expect(eventFor({ method: 'POST', target: '/leads', body })).toMatchObject({
    body: body.toString('base64'),
    isBase64Encoded: true,
  });
});

test('a path is decoded before a route is chosen, and invalid percent-encoding stays unchanged', () => {
  const routed = (target: string) => {
    const { routeKey, rawPath, rawQueryString, pathParameters } = eventFor({ target });
    return [routeKey, rawPath, rawQueryString, pathParameters?.leadId];
  };
  const [route, unknown] = ['GET /leads/{leadId}', '$default'];
  expect(routed('/leads/a%20b%23c%2525')).toEqual([route, '/leads/a b#c%25', '', 'a b#c%25']);
  expect(routed('/leads/a%2Fb'), 'an encoded slash').toEqual([unknown, '/leads/a/b', '', undefined]);
  expect(routed('/leads/a%3Fb?c=1'), 'an encoded question mark').toEqual([route, '/leads/a', 'c=1', 'a']);
  expect(routed('/leads/%E0%A4%A')).toEqual([route, '/leads/%E0%A4%A', '', '%E0%A4%A']);
});

test('a request is routed to a literal path first, then to a path with a parameter, and otherwise to $default', () => {
  expect(eventFor({ target: '/leads/newest' }).routeKey).toBe('GET /leads/newest');
  expect(eventFor({ target: '/leads/7' }).routeKey).toBe('GET /leads/{leadId}');
  expect(eventFor({ method: 'DELETE', target: '/leads/7' }).routeKey).toBe('$default');
  expect(eventFor({ target: '/' }).routeKey).toBe('$default');
  expect(eventFor({ target: 'http://api.test/leads/7?x=1' })).toMatchObject({
    rawPath: '/leads/7',
    rawQueryString: 'x=1',
  });
});

let gateway: Gateway | undefined;
afterEach(async () => {
  await gateway?.stop();
  gateway = undefined;
});

async function serve(invoke: GatewayRoute['invoke'], corsOrigins: string[] = []): Promise<string> {
  gateway = await startGateway({
    port: 0,
    routes: [{ method: 'ANY', path: '$default', invoke }],
    corsOrigins,
  });
  return gateway.baseUrl;
}

test('the response has the status, headers, cookies and body of the function’s result', async () => {
  const url = await serve(async () => ({
    statusCode: 201,
    headers: { 'x-total-count': 3, 'access-control-allow-origin': '*' },
    cookies: ['a=1', 'b=2'],
    body: Buffer.from('done').toString('base64'),
    isBase64Encoded: true,
  }));
  const response = await fetch(url);
  expect([response.status, response.headers.get('x-total-count'), await response.text()]).toEqual([
    201,
    '3',
    'done',
  ]);
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
});

test('a result without a status becomes the JSON body of a 200', async () => {
  const response = await fetch(await serve(async () => ({ status: 'ok' })));
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
});

test('an error of a function becomes API Gateway’s 500, which does not reveal the error', async () => {
  const url = await serve(async () => {
    throw new Error('secret');
  });
  const response = await fetch(url);
  expect([response.status, await response.text()]).toEqual([500, '{"message":"Internal Server Error"}']);
});

test('a body over 10 MB is rejected with 413, with and without a content-length', async () => {
  const url = await serve(async () => ({ status: 'reached' }));
  const declared = await fetch(url, { method: 'POST', body: Buffer.alloc(10 * 1024 * 1024 + 1) });
  expect(declared.status).toBe(413);
  const status = await new Promise((resolve, reject) => {
    const streamed = request(url, { method: 'POST' }, (response) => resolve(response.resume().statusCode));
    streamed.on('error', reject);
    for (let sent = 0; sent < 11; sent++) streamed.write(Buffer.alloc(1024 * 1024));
  });
  expect(status).toBe(413);
  expect((await fetch(url, { method: 'POST', body: Buffer.alloc(10 * 1024 * 1024) })).status).toBe(200);
});

const endpoints = await loadEndpoints();
const document = openApiDocument(
  endpoints.map(({ name, endpoint }) => ({ name, contract: endpoint.contract })),
);

/** Sends a request with any method. */
const ask = (url: string, method: string, agent: Agent) =>
  new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const sent = request(url, { method, agent }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    sent.on('error', reject).end();
  });

/** Sends a request with these header values and returns the response as text. */
const sendRaw = (url: string, line: string, values: readonly string[]) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject).on('close', () => resolve(text));
    const headers = values.map((value, n) => `x-${n}: ${value}\r\n`).join('');
    socket.end(`${line}\r\nhost: api.test\r\nconnection: close\r\n${headers}\r\n`);
  });

test('a request whose request line and header values exceed 10,240 bytes in total is rejected with the documented 431', async () => {
  const url = await serve(async () => ({ status: 'reached' }));
  const line = 'GET /leads?search=Ada HTTP/1.1';
  const rest = largestHead - `${line}api.testclose`.length;
  const values = Array.from({ length: 10 }, () => 'x'.repeat(500));
  const last = 'x'.repeat(rest - values.join('').length);
  expect(await sendRaw(url, line, [...values, last])).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  // The second request also exceeds Node's default limit of 16 KB.
  for (const more of ['x', 'x'.repeat(20_000)]) {
    const refused = await sendRaw(url, line, [...values, last + more]);
    expect(refused).toMatch(/^HTTP\/1.1 431 Request Header Fields Too Large\r\n/);
    expect(refused).toContain('{"message":"Request Header Fields Too Large"}');
  }
  const limit = largestHead.toLocaleString('en');
  expect(document.info.description).toContain(
    `431: the request line and the header values have more than ${limit} bytes`,
  );
});

test('for each path, a method that the document does not list returns 405, and Allow contains the listed methods', async () => {
  const api = describeApi(endpoints);
  const options = { clock: () => new Date(), api, log: () => undefined };
  const unknown = lambdaHandler(handleUnknownRoute, { response: 'open' }, options);
  gateway = await startGateway({
    port: 0,
    routes: api.routes.map((route) => ({
      ...route,
      invoke: async (event) =>
        route.path === '$default' ? unknown(event as HttpEvent, {} as never) : { statusCode: 204 },
    })),
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  onTestFinished(() => agent.destroy());
  const methods = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'HEAD'];
  const { baseUrl } = gateway;
  const paths = Object.entries(document.paths).map(async ([path, operations], n) => {
    const listed = Object.keys(operations).map((method) => method.toUpperCase());
    const others = methods.filter((method) => !listed.includes(method));
    for (const method of ['OPTIONS', others[n % others.length] ?? '']) {
      const { status, headers, text } = await ask(
        `${baseUrl}${path.replaceAll(/\{\w+\}/g, '1')}?x=1`,
        method,
        agent,
      );
      const name = `${method} ${path}`;
      // A path such as /tickets/bulk also matches /tickets/{ticketId}.
      if (status === 204) expect(routeFor(api.routes, method, path)?.route.path, name).toMatch(/\{/);
      else {
        expect([status, headers.allow?.split(', ').sort()], name).toEqual([405, listed.sort()]);
        // The errors below /scim have the format of SCIM.
        const code = path.startsWith('/scim/') ? '"405"' : '"method_not_allowed"';
        if (method !== 'HEAD') expect(text, name).toContain(code);
      }
    }
  });
  await Promise.all(paths);
  const nowhere = await ask(`${baseUrl}/nowhere`, 'GET', agent);
  expect([nowhere.status, JSON.parse(nowhere.text).error]).toEqual([404, 'route_not_found']);
  expect(nowhere.headers.allow).toBeUndefined();
});

test('a client that disconnects while it sends its body does not affect other requests', async () => {
  const url = await serve(async () => ({ status: 'ok' }));
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf');
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.destroy();
  expect((await fetch(url)).status).toBe(200);
});

test('the gateway and the other local servers never close an idle connection', async () => {
  const url = await serve(async () => ({ status: 'ok' }));
  const other = await startLoopbackServer((_, response) => void response.end('ok'));
  onTestFinished(other.stop);
  for (const server of [url, other.endpoint]) {
    const { headers } = await fetch(server);
    // If Node.js closed idle connections, its keep-alive header would contain the timeout.
    expect([headers.get('connection'), headers.get('keep-alive')]).toEqual(['keep-alive', null]);
  }
});

test('a CORS preflight succeeds only for an allowed origin', async () => {
  const url = await serve(
    async (event) => ({ method: (event as HttpEvent).requestContext.http.method }),
    ['http://localhost:5173'],
  );
  const preflight = (origin: string) =>
    fetch(url, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'PATCH' } });
  const granted = await preflight('http://localhost:5173');
  expect(granted.status).toBe(204);
  expect(granted.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
  expect(granted.headers.get('access-control-allow-methods')).toContain('PATCH');
  expect((await preflight('http://evil.test')).headers.get('access-control-allow-origin')).toBeNull();
  const plain = await fetch(url, { headers: { origin: 'http://localhost:5173' } });
  expect(plain.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
});
