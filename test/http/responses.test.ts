import { afterEach, describe, expect, test } from 'vitest';
import logIn from '../../functions/auth/log-in.ts';
import logOut from '../../functions/auth/log-out.ts';
import readSession from '../../functions/auth/read-session.ts';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import readHealth from '../../functions/service/read-health.ts';
import listTeams from '../../functions/teams/list-teams.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { openObject } from '../../shared/schema.ts';
import { call, logged } from '../harness/call.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { client, signIn, tenant } from '../harness/tenant.ts';

const acme = await tenant();
const ada = { firstName: 'Ada', lastName: 'Byron' };
afterEach(noFaults);

describe('every answer', () => {
  test('every answer says what it is, that nobody may keep it, and which request it answers', async () => {
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

  test('every answer about one record carries its version as ETag, and no other does', async () => {
    const created = await acme.key.call(createLead, { body: ada });
    const read = await acme.key.call(readLead, { params: { leadId: created.body.id } });
    expect([created.headers.etag, read.headers.etag]).toEqual(['"1"', '"1"']);
    expect((await acme.key.call(listTeams)).headers.etag).toBeUndefined();
  });

  test('every answer that is 401 says how to sign in, whatever it is that failed', async () => {
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

  test('every answer leaves one line of JSON in the log, with nothing of what was in the request', async () => {
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

describe('a failure of ours', () => {
  const broken = endpoint(
    { method: 'GET', path: '/broken', access: 'public', response: openObject(), summary: 'Fail' },
    {
      decide: () => {
        throw new TypeError('the password of the database is hunter2');
      },
    },
  );

  test('a failure of ours is an opaque 500 with the request’s id, and is told whole to the log alone', async () => {
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
  test('a table that has no room is 503 with Retry-After once trying again does not help', async () => {
    injectFaults({ throttles: 1 });
    const { status, body, headers } = await acme.directKey.call(createLead, { body: ada });
    expect([status, body.error, headers['retry-after']]).toEqual([503, 'busy', '1']);
  });

  test('a table whose transactions conflict without end is 503 when the function’s time is up', async () => {
    injectFaults({ conflicts: 1 });
    const sent = { body: ada, milliseconds: 1300 };
    const { status, body, headers } = await acme.directKey.call(createLead, sent);
    expect([status, body.error, headers['retry-after']]).toEqual([503, 'busy', '1']);
  });

  test('a table that has no room is told in time: in the last second of a function, which it has to answer in, nothing is tried again', async () => {
    injectFaults({ conflicts: 1 });
    const { status } = await acme.directKey.call(createLead, { body: ada, milliseconds: 1000 });
    expect([status, injected.conflicts]).toEqual([503, 1]);
  });

  test('a table that has no room reads on: a key that was not processed is asked for again and never taken for absent', async () => {
    injectFaults({ unprocessed: 0.15 });
    for (let n = 0; n < 100; n++) expect((await acme.key.call(listTeams)).status).toBe(200);
    expect(injected.unprocessed).toBeGreaterThan(0);
    injectFaults({ unprocessed: 1 });
    expect((await acme.key.call(listTeams)).body).toMatchObject({ status: 503, error: 'busy' });
  });
});
