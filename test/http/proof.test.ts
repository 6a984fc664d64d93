import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import logOut from '../../functions/auth/log-out.ts';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import listTeams from '../../functions/teams/list-teams.ts';
import { callsKey } from '../../shared/security/keys.ts';
import { increment } from '../../shared/table/counters.ts';
import { clock } from '../harness/clock.ts';
import { nextMinute } from '../harness/quiet-minute.ts';
import { type Client, client, signIn, type Tenant, tenant } from '../harness/tenant.ts';
import { type WireExchange, watchWire } from '../harness/wire.ts';

const minute = 60_000;
const [acme, other] = [await tenant(), await tenant()];

/** A session that no instance has verified yet. */
const freshSession = async ({ apiKey, apiSecret, accountId }: Tenant): Promise<Client> =>
  client({ authorization: await signIn({ apiKey, apiSecret }), 'x-account-id': accountId });

const sent: WireExchange[] = [];
let unfinished = 0;
afterAll(
  watchWire({
    before({ invocation }) {
      if (invocation) unfinished += 1;
    },
    done(exchange) {
      if (!exchange.invocation) return;
      unfinished -= 1;
      sent.push(exchange);
    },
  }),
);
afterAll(clock.reset);
beforeEach(nextMinute);

/** Returns the requests of a call, and whether the endpoint's read began before authentication ended. */
async function exchangesOf(call: () => Promise<{ status: number }>) {
  sent.length = 0;
  const { status } = await call();
  // A read that began before authentication may end after the response.
  await vi.waitFor(() => expect(unfinished).toBe(0));
  const operations = sent.map(({ operation }) => operation).filter((operation) => operation !== 'UpdateItem');
  const proof = sent.find(({ operation }) => operation === 'BatchGetItem');
  const reads = sent.filter(({ operation }) => operation === 'Query');
  const early = reads.some(({ startedAt }) => startedAt < (proof?.endedAt ?? 0));
  return { status, operations, reads: reads.length, early };
}
const list = (who: Client) => exchangesOf(() => who.call(listTeams));

describe('a list', () => {
  test('a list waits for the verification of a session unless the instance has recently verified the session', async () => {
    const session = await freshSession(acme);
    expect(await list(session)).toMatchObject({ status: 200, early: false });
    expect(await list(session)).toMatchObject({ status: 200, early: true });
    clock.advance(minute - 20_000);
    expect(await list(session)).toMatchObject({ status: 200, early: true });
    clock.advance(minute);
    expect(await list(session)).toMatchObject({ status: 200, early: false });
  });

  test('a list waits for the verification of a new session, of a session in another account, and of every API key', async () => {
    const session = await freshSession(acme);
    await list(session);
    const elsewhere = client({ ...session.headers, 'x-account-id': other.accountId });
    expect(await list(elsewhere)).toMatchObject({ status: 403, reads: 0 });
    expect(await list(elsewhere)).toMatchObject({ status: 403, reads: 0 });
    expect(await list(await freshSession(acme))).toMatchObject({ status: 200, early: false });
    for (const _ of [1, 2]) expect(await list(acme.directKey)).toMatchObject({ status: 200, early: false });
  });

  test('after a session has ended, an instance starts at most one more list read for the session', async () => {
    const session = await freshSession(acme);
    await list(session);
    await session.ok(logOut);
    expect(await list(session)).toMatchObject({ status: 401 });
    for (const _ of [1, 2]) expect(await list(session)).toMatchObject({ status: 401, reads: 0 });
  });
});

test('a single record is read in parallel with the first verification of a session', async () => {
  const { id } = await acme.key.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
  const session = await freshSession(acme);
  const read = () => session.call(readLead, { params: { leadId: id } });
  expect(await exchangesOf(read)).toMatchObject({ status: 200, early: true });
});

describe('a token of an ended session', () => {
  beforeEach(() => {
    process.env.REQUESTS_PER_MINUTE = '25';
  });
  afterEach(() => {
    process.env.REQUESTS_PER_MINUTE = '60000';
  });
  const ended = async (): Promise<Client> => {
    const session = await freshSession(acme);
    await session.ok(logOut);
    return session;
  };

  test('a client that keeps using an ended session gets 429 without further reads', async () => {
    const token = await ended();
    const living = await freshSession(acme);
    const statuses: number[] = [];
    for (let n = 0; n < 25; n++) {
      const { status, reads } = await list(token);
      statuses.push(status);
      expect(reads).toBe(0);
    }
    expect(statuses).toEqual(Array(25).fill(401));
    expect(await list(token)).toMatchObject({ status: 429, reads: 0 });
    expect(await list(token)).toMatchObject({ status: 429, operations: [] });
    const { headers, body } = await token.call(listTeams);
    expect(body.error).toBe('too_many_requests');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(await list(living)).toMatchObject({ status: 200 });
    clock.advance(minute);
    expect(await list(token)).toMatchObject({ status: 401, reads: 0 });
  });

  test('calls with an ended session are counted across instances', async () => {
    const token = await ended();
    const claims = JSON.parse(
      Buffer.from((token.headers.authorization ?? '').split('.')[1] ?? '', 'base64url').toString(),
    );
    const key = callsKey(acme.accountId, `session:${claims.sid}`, clock.now().toISOString().slice(0, 16));
    await increment(key, 25);
    expect(await list(token)).toMatchObject({ status: 401 });
    expect(await list(token)).toMatchObject({ status: 429 });
  });

  test('calls with an ended session do not count toward the limit of the caller', async () => {
    clock.advance(minute);
    const [token, living] = [await ended(), await freshSession(acme)];
    for (let n = 0; n < 26; n++) await token.call(listTeams);
    expect((await token.call(listTeams)).status).toBe(429);
    expect((await living.call(listTeams)).status).toBe(200);
  });
});

test('rejected calls count toward the caller’s limit', async () => {
  process.env.REQUESTS_PER_MINUTE = '25';
  const stranger = await tenant();
  clock.advance(minute);
  const foreign = client({ ...stranger.admin.headers, 'x-account-id': acme.accountId });
  const responses = [];
  for (let n = 0; n < 27; n++) responses.push(await list(foreign));
  process.env.REQUESTS_PER_MINUTE = '60000';
  expect(responses.map(({ status }) => status)).toEqual([...Array(25).fill(403), 429, 429]);
  expect(responses.every(({ reads }) => reads === 0)).toBe(true);
});
