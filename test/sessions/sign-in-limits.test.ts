import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import logIn from '../../functions/auth/log-in.ts';
import requestPasswordReset from '../../functions/auth/request-password-reset.ts';
import listTeams from '../../functions/teams/list-teams.ts';
import { loginFailuresAcrossAccountsKey } from '../../shared/people/sessions/keys.ts';
import type { Credentials } from '../../shared/people/sessions/log-in.ts';
import { networkOf } from '../../shared/people/sessions/throttle-login.ts';
import { callsKey } from '../../shared/security/keys.ts';
import { increment, incrementInWindow } from '../../shared/table/counters.ts';
import { getItem } from '../../shared/table/read.ts';
import { clock } from '../harness/clock.ts';
import { concurrently } from '../harness/concurrently.ts';
import { nextMinute } from '../harness/quiet-minute.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { client, tenant } from '../harness/tenant.ts';

const minute = 60_000;
const acme = await tenant();
const { apiKey, apiSecret, adminEmail: email, adminPassword: password } = acme;
const stranger = client({});
const attempt = (body: Credentials, sourceIp = '192.0.2.1') => stranger.call(logIn, { body, sourceIp });
const kinds = async (kind: string) =>
  (await storedEvents(acme.accountId)).filter((event) => event.kind === kind);

afterAll(clock.reset);
afterEach(() => {
  process.env.REQUESTS_PER_MINUTE = '60000';
});

describe('a login', () => {
  beforeEach(nextMinute);

  test('a login counts toward the rate limit of its API key, and returns 429 above the limit', async () => {
    process.env.REQUESTS_PER_MINUTE = '25';
    const before = (await kinds('user_logged_in')).length;
    for (let n = 0; n < 5; n++) await acme.key.ok(listTeams);
    const responses = [];
    for (let n = 0; n < 30; n++) responses.push(await attempt({ apiKey, apiSecret }));
    expect(responses.map(({ status }) => status)).toEqual([...Array(20).fill(200), ...Array(10).fill(429)]);
    expect(responses.at(-1)?.body.error).toBe('too_many_requests');
    expect(Number(responses.at(-1)?.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(await kinds('user_logged_in')).toHaveLength(before + 20);
    expect(await kinds('api_rate_limited')).toMatchObject([
      { actor: { user: apiKey, apiKey }, data: { limit: 25 } },
    ]);
    expect((await acme.key.call(listTeams)).status).toBe(429);
    nextMinute();
    expect((await attempt({ apiKey, apiSecret })).status).toBe(200);
  });

  test('the rate limit of a login includes calls that other instances counted', async () => {
    const key = await acme.admin.ok(createApiKey, { body: { description: 'For one test' } });
    process.env.REQUESTS_PER_MINUTE = '25';
    const thisMinute = clock.now().toISOString().slice(0, 16);
    await increment(callsKey(acme.accountId, `key:${key.id}`, thisMinute), 24);
    const credentials = { apiKey: key.apiKey, apiSecret: key.apiSecret };
    expect((await attempt(credentials)).status).toBe(200);
    nextMinute();
    const nextOne = clock.now().toISOString().slice(0, 16);
    await increment(callsKey(acme.accountId, `key:${key.id}`, nextOne), 25);
    expect((await attempt(credentials)).status).toBe(429);
  });

  test('a login counts toward the rate limit of its user, unless the login fails', async () => {
    process.env.REQUESTS_PER_MINUTE = '3';
    for (let n = 0; n < 4; n++)
      expect((await attempt({ email, password: 'wrong' }, '192.0.2.2')).status).toBe(401);
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await attempt({ email, password }, '192.0.2.3')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await acme.admin.call(listTeams)).status).toBe(429);
  });
});

describe('a correct password', () => {
  test('a correct password does not use up an attempt, even if nine other attempts are in progress', async () => {
    const key = loginFailuresAcrossAccountsKey('tries', { name: email, source: '192.0.2.20' });
    for (let n = 0; n < 9; n++) await incrementInWindow(key, 1, 900, clock.now());
    for (let n = 0; n < 3; n++) expect((await attempt({ email, password }, '192.0.2.20')).status).toBe(200);
    expect(await getItem(key)).toMatchObject({ count: 9 });
  });

  test('a correct password does not reset the count of earlier failures', async () => {
    const key = loginFailuresAcrossAccountsKey('failures', { name: email, source: '192.0.2.21' });
    for (let n = 0; n < 9; n++) await incrementInWindow(key, 1, 900, clock.now());
    expect((await attempt({ email, password }, '192.0.2.21')).status).toBe(200);
    expect((await attempt({ email, password: 'wrong' }, '192.0.2.21')).status).toBe(401);
    expect((await attempt({ email, password }, '192.0.2.21')).status).toBe(429);
  });
});

describe('failures from one source', () => {
  const fail = async (count: number, sourceOf: (n: number) => string) => {
    for (let n = 0; n < count; n += 10)
      await concurrently(Math.min(10, count - n), async (k) => {
        const response = await attempt({ apiKey: `name ${n + k}`, apiSecret: 'wrong' }, sourceOf(n + k));
        expect(response.status).toBe(401);
      });
  };

  test('after 100 failures in 15 minutes, a source is blocked for all users and keys, and other sources are not blocked', async () => {
    await fail(99, () => '198.51.100.1');
    expect((await attempt({ apiKey, apiSecret }, '198.51.100.1')).status).toBe(200);
    await fail(1, () => '198.51.100.1');
    for (const credentials of [
      { apiKey, apiSecret },
      { email, password },
      { email: 'new@name.test', password },
    ]) {
      const { status, headers } = await attempt(credentials, '198.51.100.1');
      expect(status).toBe(429);
      expect(Number(headers['retry-after'])).toBeGreaterThan(14 * 60);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(15 * 60);
    }
    expect((await attempt({ apiKey, apiSecret }, '198.51.100.2')).status).toBe(200);
    expect((await attempt({ email, password }, '198.51.100.2')).status).toBe(200);
    clock.advance(15 * minute);
    expect((await attempt({ apiKey, apiSecret }, '198.51.100.1')).status).toBe(200);
  });

  test('all addresses of an IPv6 network are counted as one source', async () => {
    await fail(100, (n) => `2001:db8:1:2:${n.toString(16)}::${n.toString(16)}`);
    expect((await attempt({ apiKey, apiSecret }, '2001:db8:1:2::ffff')).status).toBe(429);
    expect((await attempt({ apiKey, apiSecret }, '2001:db8:1:3::1')).status).toBe(200);
  });

  test('attempts are counted before the password is checked, so that at most 100 checks per source run at the same time', async () => {
    const source = '198.51.100.3';
    const tries = loginFailuresAcrossAccountsKey('tries', { source });
    for (let n = 0; n < 100; n++) await incrementInWindow(tries, 1, 900, clock.now());
    const { status, headers } = await attempt({ email, password }, source);
    expect([status, headers['retry-after']]).toEqual([429, '1']);
    expect(await getItem(tries)).toMatchObject({ count: 100 });
    await incrementInWindow(tries, -1, 900, clock.now());
    expect((await attempt({ email, password }, source)).status).toBe(200);
    expect(await getItem(tries)).toMatchObject({ count: 99 });
  });

  test('password reset requests have their own limits: 10 per name and 100 per source', async () => {
    const source = '198.51.100.4';
    const ask = (name: string, sourceIp = source) =>
      stranger.call(requestPasswordReset, { body: { email: `${name}@nowhere.test` }, sourceIp });
    for (let n = 0; n < 10; n++) expect((await ask('one')).status).toBe(200);
    expect((await ask('one')).status).toBe(429);
    for (let n = 0; n < 89; n++) expect((await ask(`name${n}`)).status).toBe(200);
    expect((await ask('last')).status).toBe(429);
    expect((await ask('last', '198.51.100.5')).status).toBe(200);
    expect((await attempt({ apiKey, apiSecret }, source)).status).toBe(200);
  });
});

test('a network is an IPv4 address, or the first half of an IPv6 address in any notation', () => {
  const networks: Record<string, string[]> = {
    '192.0.2.1': ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:192.0.2.1'],
    '2001:db8:1:2::/64': [
      '2001:db8:1:2:3:4:5:6',
      '2001:DB8:1:2::',
      '2001:0db8:0001:0002::1',
      '2001:db8:1:2:0:0:0.0.0.1',
    ],
    '2001:db8:0:0::/64': ['2001:db8::1', '2001:db8:0:0:1::', '2001:db8::1:2:3:4'],
    '0:0:0:0::/64': ['::1', '::'],
  };
  for (const [network, addresses] of Object.entries(networks))
    for (const address of addresses) expect(networkOf(address), address).toBe(network);
});
