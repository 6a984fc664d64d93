import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import readDocs from '../../functions/service/read-docs.ts';
import readOpenapi from '../../functions/service/read-openapi.ts';
import readPartnerContract from '../../functions/service/read-partner-contract.ts';
import { describeApi } from '../../infra/build/api-description.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { type Gateway, startGateway } from '../../infra/local/gateway.ts';
import { toHttpEvent } from '../../infra/local/http-event.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { lambdaHandler } from '../../shared/http/handler.ts';
import type { HttpEvent } from '../../shared/http/steps.ts';
import { call } from '../harness/call.ts';

const documents: { title: string; endpoint: Endpoint; path: string }[] = [
  { title: 'the reference page', endpoint: readDocs, path: '/docs' },
  { title: 'Partner contract v1', endpoint: readPartnerContract, path: '/partner-contract.json' },
  { title: 'the OpenAPI document', endpoint: readOpenapi, path: '/openapi.json' },
];
let gateway: Gateway | undefined;
afterEach(async () => {
  await gateway?.stop();
  gateway = undefined;
});

const api = describeApi(await loadEndpoints());

/** The endpoint's Lambda handler. */
const deployed = (endpoint: Endpoint) => {
  const handler = lambdaHandler(
    endpoint,
    { response: 'open' },
    { clock: () => new Date(), api, log: () => undefined },
  );
  return (event: HttpEvent) => handler(event, {} as never);
};

describe.each(documents)('$title', ({ endpoint, path }) => {
  /** The body of the response to a request without accept-encoding. */
  let plain: string | undefined;
  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['*', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=0.5, identity', undefined],
    ['deflate', undefined],
    ['gzip;q=0', undefined],
    ['*;q=0', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('responds to accept-encoding %s with %s and the same content', async (accepted, expected) => {
    const headers: Record<string, string> = accepted === undefined ? {} : { 'accept-encoding': accepted };
    const response = await call(endpoint, { headers });
    expect(response.headers['content-encoding']).toBe(expected);
    expect(response.headers.vary).toBe('accept-encoding');
    plain ??= JSON.stringify((await call(endpoint)).body);
    expect(JSON.stringify(response.body) === plain).toBe(true);
  });

  test('is not sent again (304) if If-None-Match contains the ETag of the same encoding', async () => {
    const request = (encoding: string, ifNoneMatch?: string) =>
      call(endpoint, {
        headers: { 'accept-encoding': encoding, ...(ifNoneMatch && { 'if-none-match': ifNoneMatch }) },
      });
    const [br, gzip, plain] = [await request('br'), await request('gzip'), await request('identity')];
    const tags = [br, gzip, plain].map(({ headers }) => headers.etag ?? '');
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/);
    const [tag = '', other = ''] = tags;
    for (const named of [tag, `W/${tag}`, `"another", ${tag}`, '*']) {
      const unchanged = await request('br', named);
      expect(unchanged.status, named).toBe(304);
      expect(unchanged.headers).toMatchObject({
        etag: tag,
        'cache-control': 'no-cache',
        vary: 'accept-encoding',
      });
      expect(unchanged.headers['content-encoding']).toBeUndefined();
    }
    for (const named of ['"another"', other, tag.replaceAll('"', '')])
      expect((await request('br', named)).status, named).toBe(200);
  });

  test('has at most 300 KB if it is compressed, and fits into Lambda’s limit of 6 MB in every encoding', async () => {
    for (const encoding of ['br', 'gzip', 'identity']) {
      const headers = ['host', 'api.test', 'accept-encoding', encoding];
      const request = { method: 'GET', target: path, headers, body: Buffer.alloc(0), sourceIp: '192.0.2.1' };
      const httpResponse = await deployed(endpoint)(
        toHttpEvent(request, { route: endpoint.contract, params: {} }),
      );
      expect(httpResponse.statusCode).toBe(200);
      expect(Buffer.byteLength(JSON.stringify(httpResponse)), encoding).toBeLessThan(5_000_000);
      const bytes = Buffer.from(httpResponse.body, httpResponse.isBase64Encoded ? 'base64' : 'utf8').length;
      if (encoding !== 'identity') expect(bytes, encoding).toBeLessThan(300 * 1024);
    }
  });

  test('is sent to pages of other origins by the local gateway, compressed or uncompressed', async () => {
    const invoke = (event: unknown) => deployed(endpoint)(event as HttpEvent);
    const corsOrigins = ['https://app.test'];
    gateway = await startGateway({ port: 0, routes: [{ method: 'GET', path, invoke }], corsOrigins });
    const url = gateway.baseUrl + path;
    const request = (headers: Record<string, string>) =>
      fetch(url, { headers: { origin: 'https://app.test', ...headers } });
    const gzip = await request({ 'accept-encoding': 'gzip' });
    expect(gzip.headers.get('content-encoding')).toBe('gzip');
    expect(gzip.headers.get('vary')).toBe('origin, accept-encoding');
    expect(Number(gzip.headers.get('content-length'))).toBeLessThan(300 * 1024);
    const identity = await request({ 'accept-encoding': 'identity' });
    expect(await gzip.text()).toBe(await identity.text());
    const etag = gzip.headers.get('etag') ?? '';
    const unchanged = await request({ 'accept-encoding': 'gzip', 'if-none-match': etag });
    expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
  });
});

test('the reference page has the same Content Security Policy in every encoding', async () => {
  const policies = new Set<string | undefined>();
  for (const encoding of ['br', 'gzip', 'identity']) {
    const { headers } = await call(readDocs, { headers: { 'accept-encoding': encoding } });
    policies.add(headers['content-security-policy']);
  }
  expect([...policies]).toEqual([expect.stringMatching(/^default-src 'none'; script-src 'sha256-/)]);
});

test('the reference has a page for each operation, and 404 for other operations', async () => {
  const operation = await call(readDocs, { query: { operation: 'createLead' } });
  expect(operation.body).toContain('<h1>Create a lead</h1>');
  for (const unknown of ['createLeads', 'constructor', '__proto__'])
    expect(await call(readDocs, { query: { operation: unknown } })).toMatchObject({
      status: 404,
      body: { error: 'not_found', message: `The reference has no operation ${unknown}.` },
    });
});

test('different documents have different digests', () => {
  const { openapi, reference } = api;
  expect(openapi.digest).not.toBe(reference.digest);
  expect(JSON.parse(gunzipSync(Buffer.from(openapi.gzip, 'base64')).toString())).toMatchObject({
    openapi: '3.1.0',
  });
});
