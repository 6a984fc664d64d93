import { afterEach, describe, expect, test } from 'vitest';
import logIn from '../../functions/auth/log-in.ts';
import logOut from '../../functions/auth/log-out.ts';
import readSession from '../../functions/auth/read-session.ts';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import handleUnknownRoute from '../../functions/service/handle-unknown-route.ts';
import readHealth from '../../functions/service/read-health.ts';
import readOpenapi from '../../functions/service/read-openapi.ts';
import listTeams from '../../functions/teams/list-teams.ts';
import { describeApi } from '../../infra/build/api-description.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { compileValidators } from '../../infra/build/validators.ts';
import { routeFor, toHttpEvent } from '../../infra/local/http-event.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { lambdaHandler } from '../../shared/http/handler.ts';
import { openObject } from '../../shared/schema.ts';
import { call, logged } from '../harness/call.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { client, signIn, tenant } from '../harness/tenant.ts';

const acme = await tenant();
const ada = { firstName: 'Ada', lastName: 'Byron' };
afterEach(noFaults);

describe('every answer', () => {
  test('says what it is, that nobody may keep it, and which request it answers', async () => {
    for (const response of [
      await acme.key.call(listTeams),
      await acme.key.call(createLead, { body: ada }),
      await acme.key.call(createLead, { body: {} as never }),
      await call(listTeams),
      await call(readHealth),
    ])
      expect(response.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/),
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
  });

  test('about one record carries its version as ETag, and no other does', async () => {
    const created = await acme.key.call(createLead, { body: ada });
    const read = await acme.key.call(readLead, { params: { leadId: created.body.id } });
    expect([created.headers.etag, read.headers.etag]).toEqual(['"1"', '"1"']);
    expect((await acme.key.call(listTeams)).headers.etag).toBeUndefined();
  });

  test('that is 401 says how to sign in, whatever it is that failed', async () => {
    const gone = client({ authorization: await signIn({ apiKey: acme.apiKey, apiSecret: acme.apiSecret }) });
    await gone.ok(logOut);
    for (const response of [
      await call(listTeams),
      await gone.call(listTeams),
      await acme.directKey.call(logOut),
      await acme.directKey.call(readSession),
      await client({ ...acme.directKey.headers, 'x-api-secret': 'wrong' }).call(listTeams),
      await call(logIn, { body: { apiKey: acme.apiKey, apiSecret: 'wrong' } }),
      await call(logIn, { body: { email: acme.adminEmail, password: 'wrong' } }),
    ])
      expect([response.status, response.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect((await acme.key.call(listTeams)).headers['www-authenticate']).toBeUndefined();
  });

  test('leaves one line of JSON in the log, with nothing of what was in the request', async () => {
    logged.length = 0;
    const body = { ...ada, notes: 'canary' };
    const { headers } = await acme.directKey.call(createLead, {
      body,
      query: { skipTeamAndSourceRequirement: true },
    });
    expect(logged).toHaveLength(1);
    expect(JSON.parse(logged[0] ?? '')).toMatchObject({
      level: 'info',
      requestId: headers['x-request-id'],
      route: 'POST /leads',
      status: 201,
      account: acme.accountId,
      principal: expect.stringMatching(/^key:\d+$/),
      milliseconds: expect.any(Number),
    });
    expect(logged[0]).not.toMatch(/canary|Byron|mo_sk_|mo_key_/);
  });
});

describe('what no endpoint answers', async () => {
  const api = describeApi(await loadEndpoints());
  const handler = lambdaHandler(handleUnknownRoute, compileValidators(handleUnknownRoute.contract), {
    clock: () => new Date(),
    api,
    log: () => {},
  });
  const ask = async (method: string, target: string) => {
    const match = routeFor(api.routes, method, target);
    expect(match?.route.path, `${method} ${target}`).toBe('$default');
    const request = { method, target, headers: ['host', 'api.test'], body: Buffer.alloc(0), sourceIp: '' };
    const httpResponse = await handler(
      toHttpEvent(request, { route: { method: 'ANY', path: '$default' }, params: {} }),
      {} as never,
    );
    const { error, status } = JSON.parse(httpResponse.body);
    expect(httpResponse.statusCode).toBe(status);
    return { code: `${status} ${error}`, allow: httpResponse.headers.allow };
  };

  test('is 404 where there is no such path', async () => {
    for (const target of [
      '/',
      '/nothing',
      '/leads/1/2/3',
      '/leads/',
      '//leads',
      '/LEADS',
      '/nothing?x=1',
      '/$default',
    ])
      expect((await ask('GET', target)).code, target).toBe('404 route_not_found');
  });

  test('is 405 with the methods there are where the path exists', async () => {
    const { code, allow } = await ask('PUT', '/leads/1?x=1');
    expect(code).toBe('405 method_not_allowed');
    const methods = allow?.split(', ') ?? [];
    expect(methods).toEqual(expect.arrayContaining(['GET', 'PATCH']));
    expect(new Set(methods).size).toBe(methods.length);
    expect((await ask('DELETE', '/health')).allow).toBe('GET');
    expect((await ask('HEAD', '/leads')).code).toBe('405 method_not_allowed');
  });
});

describe('a failure of ours', () => {
  const broken = endpoint(
    { method: 'GET', path: '/broken', access: 'public', response: openObject(), summary: 'Fail' },
    {
      decide: () => {
        throw new TypeError('the password of the database is hunter2');
      },
    },
  );

  test('is an opaque 500 with the request’s id, and is told whole to the log alone', async () => {
    logged.length = 0;
    const { status, body, headers } = await call(broken);
    expect({ status, body }).toEqual({
      status: 500,
      body: { error: 'internal_error', status: 500, message: expect.stringContaining('x-request-id') },
    });
    const line = JSON.parse(logged[0] ?? '');
    expect(line).toMatchObject({ level: 'error', requestId: headers['x-request-id'], status: 500 });
    expect(line.failure).toMatchObject({ name: 'TypeError', message: expect.stringContaining('hunter2') });
  });
});

describe('a table that has no room', () => {
  test('is 503 with Retry-After once trying again does not help', async () => {
    injectFaults({ throttles: 1 });
    const { status, body, headers } = await acme.directKey.call(createLead, { body: ada });
    expect([status, body.error, headers['retry-after']]).toEqual([503, 'busy', '1']);
  });

  test('or whose transactions conflict without end, is 503 when the function’s time is up', async () => {
    injectFaults({ conflicts: 1 });
    const sent = { body: ada, milliseconds: 1300 };
    const { status, body, headers } = await acme.directKey.call(createLead, sent);
    expect([status, body.error, headers['retry-after']]).toEqual([503, 'busy', '1']);
  });

  test('is told in time: in the last second of a function, which it has to answer in, nothing is tried again', async () => {
    injectFaults({ conflicts: 1 });
    const { status } = await acme.directKey.call(createLead, { body: ada, milliseconds: 1000 });
    expect([status, injected.conflicts]).toEqual([503, 1]);
  });

  test('reads on: a key that was not processed is asked for again and never taken for absent', async () => {
    injectFaults({ unprocessed: 0.15 });
    for (let n = 0; n < 100; n++) expect((await acme.key.call(listTeams)).status).toBe(200);
    expect(injected.unprocessed).toBeGreaterThan(0);
    injectFaults({ unprocessed: 1 });
    expect((await acme.key.call(listTeams)).body).toMatchObject({ status: 503, error: 'busy' });
  });
});

test('GET /health answers without a credential, and GET /openapi.json tells every route', async () => {
  expect((await call(readHealth)).body).toEqual({ status: 'ok' });
  const { paths } = (await call(readOpenapi)).body as unknown as {
    paths: Record<string, Record<string, unknown>>;
  };
  for (const { endpoint: one } of await loadEndpoints()) {
    const { method, path } = one.contract;
    if (method !== 'ANY') expect(paths[path]?.[method.toLowerCase()], `${method} ${path}`).toBeDefined();
  }
});
