import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import listApiKeys from '../../functions/apikeys/list-api-keys.ts';
import createApplication from '../../functions/applications/create-application.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import changePassword from '../../functions/auth/change-password.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import createTeam from '../../functions/teams/create-team.ts';
import deleteTeam from '../../functions/teams/delete-team.ts';
import listTeams from '../../functions/teams/list-teams.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { commit } from '../../shared/events/outbox.ts';
import { integer, object, string } from '../../shared/schema.ts';
import { REDACTED } from '../../shared/security/merge-fields.ts';
import { quotaKey } from '../../shared/table/keys.ts';
import { addToCounter } from '../../shared/table/operations.ts';
import { clock } from '../harness/clock.ts';
import { concurrently } from '../harness/concurrently.ts';
import { canaries, filledApplication } from '../harness/filled-application.ts';
import { member, memberPassword } from '../harness/member.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
import { client, signIn, tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';

const acme = await tenant();
const ada = { firstName: 'Ada', lastName: 'Byron' };
const day = 24 * 3_600_000;
let keys = 0;
const freshKey = () => ({ 'idempotency-key': `key-${++keys}` });
const send = (headers: Record<string, string>, body: object = ada, by = acme.key) =>
  by.call(createLead, { headers, body: body as typeof ada });
const countLeads = async () => ((await acme.admin.ok(listLeads)) as { totalCount: number }).totalCount;
const replayed = ({ headers }: { headers: Record<string, string> }) => headers['idempotency-replayed'];

afterEach(clock.reset);

test('a repeated request returns the first response, marked as replayed, and has no further effect', async () => {
  const [headers, before] = [freshKey(), await countLeads()];
  const events = (await storedEvents(acme.accountId)).length;
  const [first, second] = [await send(headers), await send(headers)];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body).toEqual(first.body);
  expect(second.headers.etag).toBe(first.headers.etag);
  expect([replayed(first), replayed(second)]).toEqual([undefined, 'true']);
  expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  expect(await countLeads()).toBe(before + 1);
  expect(await storedEvents(acme.accountId)).toHaveLength(events + 1);
});

test('a repeated request returns the first response even if the record has changed', async () => {
  const headers = freshKey();
  const { body } = await send(headers);
  await acme.key.ok(updateLead, { params: { leadId: body.id }, body: { company: 'Engines' } });
  expect((await send(headers)).body).toEqual(body);
});

test('a reused Idempotency-Key is rejected with 422 if the query or the raw body differs', async () => {
  const headers = freshKey();
  await send(headers);
  const others = [
    () => send(headers, { ...ada, company: 'Engines' }),
    () => acme.key.call(createLead, { headers, rawBody: `${JSON.stringify(ada)} ` }),
    () => acme.key.call(createLead, { headers, body: ada, query: { skipTeamAndSourceRequirement: false } }),
  ];
  for (const other of others)
    expect((await other()).body).toMatchObject({ status: 422, error: 'idempotency_key_reused' });
  expect(replayed(await send(headers))).toBe('true');
});

test('a reused Idempotency-Key is rejected with 422 if the route is the same but the record differs', async () => {
  const Params = object({ name: string() });
  const greet = endpoint({
    method: 'POST',
    path: '/people/{name}/greet',
    params: Params,
    response: Params,
    summary: 'Greet',
    permission: 'writeLeads',
    writes: true,
    decide: ({ params }) => ({ response: params, writes: [], events: [] }),
  });
  const headers = freshKey();
  const to = (name: string) => acme.key.call(greet, { headers, params: { name } });
  expect((await to('Ada')).status).toBe(200);
  expect((await to('Bea')).body).toMatchObject({ status: 422, error: 'idempotency_key_reused' });
  expect(replayed(await to('Ada'))).toBe('true');
});

test('Idempotency-Keys are separate per caller, account and route', async () => {
  const [headers, other] = [freshKey(), await tenant()];
  for (const principal of [acme.key, acme.admin, other.key])
    expect(replayed(await send(headers, ada, principal))).toBeUndefined();
  const team = await other.key.call(createTeam, { headers, body: { name: 'West' } });
  expect([team.status, replayed(team)]).toEqual([201, undefined]);
});

test('Idempotency-Keys are shared by the sessions of a caller', async () => {
  const headers = freshKey();
  const { apiKey, apiSecret, accountId } = acme;
  const authorization = await signIn({ apiKey, apiSecret });
  const again = client({ authorization, 'x-account-id': accountId });
  const first = await send(headers);
  expect((await send(headers, ada, again)).body).toEqual(first.body);
  expect((await send(headers, ada, acme.directKey)).body).toEqual(first.body);
});

test('an Idempotency-Key expires after 24 hours, even if its row still exists', async () => {
  const headers = freshKey();
  const first = await send(headers, ada, acme.directKey);
  clock.advance(day - 5000);
  expect(replayed(await send(headers, ada, acme.directKey))).toBe('true');
  clock.advance(7000);
  const later = await send(headers, { ...ada, company: 'A day later' }, acme.directKey);
  expect([later.status, replayed(later)]).toEqual([201, undefined]);
  expect(later.body.id).not.toBe(first.body.id);
  expect(replayed(await send(headers, { ...ada, company: 'A day later' }, acme.directKey))).toBe('true');
});

test('a failed request is not stored, and can be repeated with the same Idempotency-Key', async () => {
  const headers = freshKey();
  expect((await send(headers, { ...ada, teamId: 1 })).status).toBe(400);
  expect((await send(headers, { ...ada, nonsense: 1 })).status).toBe(400);
  const success = await send(headers);
  expect([success.status, replayed(success)]).toEqual([201, undefined]);
});

test('a replayed response contains REDACTED instead of nested one-time secrets', async () => {
  const appKey = `mo_ak_${'7'.repeat(49)}`;
  const create = endpoint({
    method: 'POST',
    path: '/secrets',
    permission: 'writeLeads',
    response: object({ system: object({ appKey: string(), appStatus: string() }), name: string() }),
    oneTime: ['system.appKey'],
    writes: true,
    summary: 'Create something with a key',
    decide: () => ({
      response: { system: { appKey, appStatus: 'pending' }, name: 'Harbor Street' },
      writes: [],
      events: [],
    }),
  });
  const headers = freshKey();
  const [first, second] = [
    await acme.key.call(create, { headers }),
    await acme.key.call(create, { headers }),
  ];
  expect(first.body.system).toEqual({ appKey, appStatus: 'pending' });
  expect(replayed(second)).toBe('true');
  expect(second.body).toEqual({ system: { appKey: REDACTED, appStatus: 'pending' }, name: 'Harbor Street' });
  expect(JSON.stringify(await scanTable())).not.toContain(appKey);
});

test('a replayed response and its stored row contain REDACTED instead of sensitive values', async () => {
  const { id } = await acme.admin.ok(createApplication, { body: filledApplication });
  const headers = freshKey();
  const sent = { params: { applicationId: id }, headers };
  const [first, second] = [
    await acme.admin.call(submitApplication, sent),
    await acme.admin.call(submitApplication, sent),
  ];
  let redacted = JSON.stringify(first.body);
  for (const canary of Object.values(canaries)) {
    expect(redacted).toContain(`"${canary}"`);
    redacted = redacted.replaceAll(canary, REDACTED);
  }
  const { system, ...rest } = JSON.parse(redacted);
  expect(replayed(second)).toBe('true');
  expect(second.body).toEqual({ ...rest, system: { ...system, appKey: REDACTED } });
  const digest = createHash('sha256').update(headers['idempotency-key']).digest('base64url');
  const rows = (await scanTable()).filter(({ type, sk }) => type === 'idempotency' && sk.includes(digest));
  expect(rows.map(({ body }) => JSON.parse(String(body)))).toEqual([second.body]);
});

describe('a stored response', () => {
  test('a stored response is read in the same batch as the caller, and returned without another call of decide', async () => {
    let [decided, taken] = [0, 0];
    const greet = endpoint({
      method: 'POST',
      path: '/greetings',
      permission: 'writeLeads',
      response: object({ said: string() }),
      summary: 'Greet',
      writes: true,
      noDryRun: 'For a test.',
      decide: async ({ runOnce }) => {
        await runOnce(async () => ++taken);
        return { response: { said: `hello ${++decided}` }, writes: [], events: [] };
      },
    });
    const headers = freshKey();
    const first = await acme.key.call(greet, { headers });
    const sent: string[] = [];
    const stop = watchWire({
      done: ({ invocation, operation }) => invocation && sent.push(operation),
    });
    const second = await acme.key.call(greet, { headers });
    stop();
    expect([second.body, replayed(second)]).toEqual([first.body, 'true']);
    expect([decided, taken]).toEqual([1, 1]);
    expect(sent.filter((operation) => operation !== 'UpdateItem')).toEqual(['BatchGetItem']);
  });

  test('after a stored response has expired, a repeated request is processed like a new request', async () => {
    const headers = freshKey();
    const to = (teamId: number) => send(headers, { ...ada, teamId }, acme.directKey);
    const team = await acme.admin.ok(createTeam, { body: { name: 'Soon gone' } });
    expect((await to(team.id)).status).toBe(201);
    await acme.admin.ok(deleteTeam, { params: { id: team.id } });
    expect(replayed(await to(team.id))).toBe('true');
    clock.advance(day + 1000);
    expect((await to(team.id)).body).toMatchObject({ status: 400, error: 'team_unknown' });
  });

  test('the row of a stored response has a keyed fingerprint of its request, and does not contain the Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'very-own-key-name' };
    await send(headers);
    const digest = createHash('sha256').update(headers['idempotency-key']).digest('base64url');
    const row = (await scanTable()).find(({ type, sk }) => type === 'idempotency' && sk.includes(digest));
    const asked = `/leads?\n${JSON.stringify(ada)}`;
    const secret = JSON.parse(readFileSync(process.env.SECRET_FILE ?? '', 'utf8'))['1'] as string;
    const hmac = (key: string | Buffer) => createHmac('sha256', key).update(asked).digest('base64url');
    const derived = createHmac('sha256', secret).update('idempotency').digest();
    expect(row?.fingerprint).toBe(hmac(derived));
    const guesses = [hmac(''), hmac('1'), createHash('sha256').update(asked).digest('base64url')];
    expect(guesses).not.toContain(row?.fingerprint);
    expect(JSON.stringify(row)).not.toContain('very-own-key-name');
  });
});

test('if fifty concurrent requests have the same Idempotency-Key, only one creates a lead, and all get the same response', async () => {
  const [headers, before] = [freshKey(), await countLeads()];
  const responses = await concurrently(50, () => send(headers));
  expect(new Set(responses.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
  expect(responses.filter((response) => replayed(response) === undefined)).toHaveLength(1);
  expect(await countLeads()).toBe(before + 1);
});

test('if twenty concurrent requests have the same Idempotency-Key, they count once toward a quota, and all succeed', async () => {
  const full = await tenant();
  // With the account's first key, 99 keys are counted: one less than the quota.
  const writes = [addToCounter(quotaKey(full.accountId, 'APIKEY'), 98)];
  await commit({ writes, events: [], deadline: Date.now() + 10_000 });
  const before = (await full.admin.ok(listApiKeys)).length;
  const sent = { headers: freshKey(), body: { description: 'The last' } };
  const responses = await concurrently(20, () => full.admin.call(createApiKey, sent));
  expect(new Set(responses.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  expect(responses[0]?.status).toBe(201);
  expect(await full.admin.ok(listApiKeys)).toHaveLength(before + 1);
});

test('if twenty concurrent requests have the same Idempotency-Key but different bodies, one succeeds and the others get 422', async () => {
  const headers = freshKey();
  const companies = Array.from({ length: 20 }, (_, n) => ({ ...ada, company: `Company ${n}` }));
  const responses = await Promise.all(companies.map((body) => send(headers, body)));
  expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(422)]);
});

test('an Idempotency-Key must have 1 to 255 printable characters, and is checked after authorization', async () => {
  for (const key of ['', ' ', 'a'.repeat(256), 'ключ', 'a\tb', ' a'])
    expect((await send({ 'idempotency-key': key })).body, key).toMatchObject({
      status: 400,
      error: 'invalid_idempotency_key',
    });
  expect((await send({ 'idempotency-key': 'a'.repeat(255) })).status).toBe(201);
  expect((await send({ 'idempotency-key': 'b' })).status).toBe(201);
  const powerless = await acme.admin.ok(createApiKey, { body: { description: 'None' } });
  const by = client({ 'x-api-key': powerless.apiKey, 'x-api-secret': powerless.apiSecret });
  expect((await send({ 'idempotency-key': '' }, ada, by)).status).toBe(403);
});

test('an Idempotency-Key has no effect on methods other than POST', async () => {
  const headers = freshKey();
  const lead = (await send({})).body;
  for (const company of ['A', 'B']) {
    const changed = await acme.key.call(updateLead, {
      params: { leadId: lead.id },
      body: { company },
      headers,
    });
    expect([changed.body.company, replayed(changed)]).toEqual([company, undefined]);
  }
  for (const _ of [1, 2]) expect(replayed(await acme.key.call(listTeams, { headers }))).toBeUndefined();
});

test('an Idempotency-Key has no effect under /auth/', async () => {
  const { client: theirs } = await member(acme);
  const headers = freshKey();
  const body = { currentPassword: memberPassword, newPassword: 'another password of their own' };
  expect((await theirs.call(changePassword, { headers, body })).status).toBe(200);
  const again = await theirs.call(changePassword, { headers, body });
  expect([again.status, again.body, replayed(again)]).toMatchObject([
    400,
    { error: 'password_wrong' },
    undefined,
  ]);
  const digest = createHash('sha256').update(headers['idempotency-key']).digest('base64url');
  expect((await scanTable()).filter(({ pk, sk }) => `${pk}${sk}`.includes(digest))).toEqual([]);
});

test('an Idempotency-Key has no effect on a POST that only reads', async () => {
  let asked = 0;
  const simulate = endpoint({
    method: 'POST',
    path: '/simulations',
    permission: 'readLeads',
    body: object({ count: integer() }),
    response: object({ asked: integer() }),
    summary: 'Simulate',
    decide: () => ({ response: { asked: ++asked } }),
  });
  const rows = async () => (await scanTable()).filter(({ type }) => type === 'idempotency').length;
  const [headers, before] = [freshKey(), await rows()];
  for (const count of [1, 2]) {
    const response = await acme.key.call(simulate, { headers, body: { count } });
    expect([response.status, response.body, replayed(response)]).toEqual([200, { asked: count }, undefined]);
  }
  const unfit = await acme.key.call(simulate, { headers: { 'idempotency-key': '' }, body: { count: 3 } });
  expect([unfit.status, await rows()]).toEqual([200, before]);
});
