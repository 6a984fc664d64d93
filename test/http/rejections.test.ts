import { afterEach, describe, expect, test } from 'vitest';
import readLead from '../../functions/leads/read-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import handleUnknownRoute from '../../functions/service/handle-unknown-route.ts';
import { describeApi } from '../../infra/build/api-description.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { toHttpEvent } from '../../infra/local/http-event.ts';
import { endpointStatements } from '../../infra/rights/endpoint-rights.ts';
import { lambdaHandler } from '../../shared/http/handler.ts';
import { call } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { validatorsOf } from '../harness/compiled.ts';
import { noFaults } from '../harness/faults.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { client, tenant } from '../harness/tenant.ts';
import { runAs, watchWire } from '../harness/wire.ts';

const log: string[] = [];
const { contract } = handleUnknownRoute;
const handler = lambdaHandler(handleUnknownRoute, validatorsOf(contract), {
  clock: clock.now,
  api: describeApi(await loadEndpoints()),
  log: (line) => log.push(line),
});

/** Sends a request that matches no endpoint. Returns the status. */
async function ask(method: string, target: string, headers: Record<string, string> = {}): Promise<number> {
  const sent = Object.entries({ host: 'api.test', ...headers }).flat();
  const request = { method, target, headers: sent, body: Buffer.alloc(0), sourceIp: '192.0.2.1' };
  const event = toHttpEvent(request, { route: contract, params: {} }, clock.now());
  const as = { functionName: 'ANY $default', statements: endpointStatements(contract) };
  return (await runAs(as, () => handler(event, {} as never))).statusCode;
}

const rejections = async (accountId: string) =>
  (await storedEvents(accountId)).filter(({ kind }) =>
    ['not_found', 'method_not_allowed'].includes(String(kind)),
  );
const routes = async (accountId: string) =>
  (await rejections(accountId)).map(({ kind, data }) => `${kind}: ${(data as { route: string }).route}`);
const nextMinute = () => clock.advance(60_000);
afterEach(noFaults);

describe('a record that does not exist', () => {
  test('causes one event per minute, caller and path pattern, for any number of records', async () => {
    const acme = await tenant();
    for (const leadId of [1, 2, 3])
      expect((await acme.key.call(readLead, { params: { leadId } })).status).toBe(404);
    expect(await routes(acme.accountId)).toEqual(['not_found: GET /leads/{leadId}']);
    // The administrator is another caller.
    await acme.admin.call(readLead, { params: { leadId: 1 } });
    // A malformed id is the id of no record.
    await acme.admin.call(readLead, { params: { leadId: 'x' as never } });
    expect(await routes(acme.accountId)).toHaveLength(2);
    nextMinute();
    await acme.key.call(readLead, { params: { leadId: 1 } });
    expect(await routes(acme.accountId)).toHaveLength(3);
  });

  test('the event names the caller, and contains no path parameter, no query and no page', async () => {
    const acme = await tenant();
    await acme.key.call(updateLead, {
      params: { leadId: 987654321 },
      body: { firstName: 'Canary' },
      headers: { referer: 'https://portal.test/leads/987654321' },
    });
    const [event] = await rejections(acme.accountId);
    expect(event).toMatchObject({
      kind: 'not_found',
      actor: { apiKey: acme.apiKey },
      subject: { type: 'account', id: acme.accountId, label: expect.any(String) },
      data: { route: 'PATCH /leads/{leadId}' },
      request: { method: 'PATCH', path: '/leads/{leadId}' },
    });
    expect(JSON.stringify(event)).not.toMatch(/987654321|Canary|portal/);
  });

  test('a dry run, and a caller without the permission, cause no event', async () => {
    const acme = await tenant();
    const query = { dryRun: true };
    const dry = await acme.key.call(updateLead, { params: { leadId: 1 }, query, body: { notes: '' } });
    expect(dry.status).toBe(404);
    const other = await tenant();
    const foreign = client({ ...other.key.headers, 'x-account-id': acme.accountId });
    expect((await foreign.call(readLead, { params: { leadId: 1 } })).status).toBe(403);
    expect((await call(readLead, { params: { leadId: 1 } })).status).toBe(401);
    expect(await routes(acme.accountId)).toEqual([]);
    expect(await routes(other.accountId)).toEqual([]);
  });
});

describe('a request that no endpoint accepts', () => {
  test('an unknown path and a wrong method cause one event each per minute and caller', async () => {
    const acme = await tenant();
    for (const path of ['/secret-path-1', '/secret-path-2?token=hunter2'])
      expect(await ask('GET', path, acme.key.headers)).toBe(404);
    for (const path of ['/leads/471147114711', '/leads/471247124712'])
      expect(await ask('PUT', path, acme.key.headers)).toBe(405);
    expect(await ask('PUT', '/leads', acme.directKey.headers)).toBe(405);
    expect(await routes(acme.accountId)).toEqual([
      'not_found: GET unknown',
      'method_not_allowed: PUT /leads/{leadId}',
      'method_not_allowed: PUT /leads',
    ]);
    const [unknown, wrong] = await rejections(acme.accountId);
    expect([unknown?.request, wrong?.request]).toMatchObject([
      { path: 'unknown' },
      { path: '/leads/{leadId}' },
    ]);
    expect(JSON.stringify([unknown, wrong])).not.toMatch(/secret-path|hunter2|47114711|47124712/);
    nextMinute();
    expect(await ask('GET', '/nothing', acme.admin.headers)).toBe(404);
    expect(await routes(acme.accountId)).toHaveLength(4);
  });

  test('a caller without a valid credential causes no event, and gets the same response', async () => {
    const [acme, other] = [await tenant(), await tenant()];
    const { 'x-api-key': key = '', 'x-account-id': account = '' } = acme.directKey.headers;
    const invalid: Record<string, string>[] = [
      {},
      { 'x-account-id': account },
      { 'x-account-id': account, 'x-api-key': key, 'x-api-secret': 'wrong' },
      { 'x-account-id': account, authorization: 'Bearer a.b.c' },
      { ...other.directKey.headers, 'x-account-id': account },
      { ...acme.directKey.headers, 'x-account-id': 'x' },
    ];
    for (const headers of invalid) expect(await ask('GET', '/nothing', headers)).toBe(404);
    expect(await routes(acme.accountId)).toEqual([]);
    expect(await routes(other.accountId)).toEqual([]);
    // The wrong secret did not use up the event of this minute.
    expect(await ask('GET', '/nothing', acme.directKey.headers)).toBe(404);
    expect(await routes(acme.accountId)).toEqual(['not_found: GET unknown']);
  });

  test('without a credential, or after the first event of the minute, no request is sent to the table', async () => {
    const acme = await tenant();
    await ask('GET', '/nothing', acme.key.headers);
    let sent = 0;
    const stop = watchWire({
      done: () => {
        sent += 1;
      },
    });
    expect(await ask('GET', '/other', acme.key.headers)).toBe(404);
    expect(await ask('GET', '/other')).toBe(404);
    stop();
    expect(sent).toBe(0);
  });

  test('if the table cannot be reached, the response stays the same and the failure is logged', async () => {
    const acme = await tenant();
    nextMinute();
    log.length = 0;
    const allow = watchWire({ refuse: ({ invocation }) => (invocation ? 'not now' : undefined) });
    expect(await ask('GET', '/nothing', acme.key.headers)).toBe(404);
    allow();
    expect(log.filter((line) => line.includes('not_found event'))).toHaveLength(1);
    expect(await routes(acme.accountId)).toEqual([]);
  });
});
