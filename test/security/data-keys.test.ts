import { afterEach, describe, expect, test, vi } from 'vitest';
import listLeads from '../../functions/leads/list-leads.ts';
import { rotateDataKey } from '../../infra/operations/rotate-data-key.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { commit } from '../../shared/events/outbox.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { object } from '../../shared/schema.ts';
import { dataKeysKey } from '../../shared/security/keys.ts';
import { putItem } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { logged } from '../harness/call.ts';
import { concurrently } from '../harness/concurrently.ts';
import { scanTable } from '../harness/raw-table.ts';
import keepSecret from '../harness/sensitive/keep-secret.ts';
import openSecret from '../harness/sensitive/open-secret.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { type WireRequest, watchWire } from '../harness/wire.ts';

const [acme, other] = [await tenant(), await tenant()];
const ssn = { record: 'application:app_1', field: 'businessOwners[u1].socialSecurityNumber' };
const keep = (by: Tenant, plain = '123-45-6789', place = ssn) =>
  by.key.ok(keepSecret, { body: { ...place, plain } });
const open = (by: Tenant, jwe: string, place = ssn) => by.key.call(openSecret, { query: { ...place, jwe } });
const storedKeys = async (by: Tenant) => (await getItem(dataKeysKey(by.accountId))) ?? {};
const store = (item: object) =>
  commit({
    writes: [putItem(item as Parameters<typeof putItem>[0])],
    events: [],
    deadline: Date.now() + 5000,
  });

/** Advances the clock beyond the five minutes for which unwrapped keys are cached. */
const letKeysExpire = () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + 5 * 60_000 + 1);
};
afterEach(() => {
  vi.useRealTimers();
});

const internalError = {
  error: 'internal_error',
  status: 500,
  message: 'An unexpected error occurred. Include the x-request-id when you report it.',
};

describe('the data keys of an account', () => {
  test('data keys are created on first use, and concurrent requests create only one item', async () => {
    const fresh = await tenant();
    expect(await getItem(dataKeysKey(fresh.accountId))).toBeUndefined();
    const kept = await concurrently(20, (n) => keep(fresh, `value ${n}`));
    const stored = await storedKeys(fresh);
    expect(stored).toEqual({
      ...dataKeysKey(fresh.accountId),
      type: 'data-keys',
      current: '1',
      keys: { '1': expect.stringMatching(/^[\w+/=]{80}$/) },
      indexKey: expect.stringMatching(/^[\w-]+\.\.[\w.-]+$/),
      createdAt: expect.any(String),
      version: 1,
    });
    for (const [n, { jwe }] of kept.entries())
      expect((await open(fresh, jwe)).body).toEqual({ plain: `value ${n}` });
    const [again, more] = [await keep(fresh, 'value 7'), await keep(fresh, 'value 7')];
    expect([again.blind, more.blind]).toEqual([kept[7]?.blind, kept[7]?.blind]);
    expect(await storedKeys(fresh)).toEqual(stored);
  });

  test('a value can be decrypted only for its account, record and field', async () => {
    const { jwe } = await keep(acme);
    await keep(other);
    expect(await open(acme, jwe)).toMatchObject({ status: 200, body: { plain: '123-45-6789' } });
    logged.length = 0;
    const moved = [
      await open(acme, jwe, { ...ssn, field: 'businessOwners[u2].socialSecurityNumber' }),
      await open(acme, jwe, { ...ssn, record: 'application:app_2' }),
      await open(other, jwe),
      await open(acme, `${jwe}x`),
      await open(acme, '123-45-6789'),
    ];
    for (const { status, body } of moved) expect([status, body]).toEqual([500, internalError]);
    expect(logged.join()).not.toMatch(/123-45-6789/);
  });

  test('a data key that is copied to another account cannot decrypt values, even if the key is cached', async () => {
    const [from, to] = [await tenant(), await tenant()];
    const { jwe } = await keep(from);
    await store({ ...(await storedKeys(from)), ...dataKeysKey(to.accountId) });
    expect((await open(to, jwe)).status).toBe(500);
    letKeysExpire();
    expect((await open(to, jwe)).status).toBe(500);
    expect((await open(from, jwe)).status).toBe(200);
  });

  test('stored values are unreadable, and equal values can be recognized only within an account', async () => {
    const [mine, same, different, theirs] = [
      await keep(acme, '078-05-1120'),
      await keep(acme, '078-05-1120'),
      await keep(acme, '078-05-1121'),
      await keep(other, '078-05-1120'),
    ];
    expect(mine.blind).toMatch(/^[\w-]{43}$/);
    expect(same.blind).toBe(mine.blind);
    expect(same.jwe).not.toBe(mine.jwe);
    expect(new Set([mine.blind, different.blind, theirs.blind]).size).toBe(3);
    expect(JSON.stringify(await scanTable())).not.toContain('078-05-1120');
  });

  test('data keys are read together with the credential, and only for endpoints that need them', async () => {
    const { jwe } = await keep(acme);
    const sent: WireRequest[] = [];
    const stop = watchWire({ before: (request) => void (request.invocation && sent.push(request)) });
    await open(acme, jwe);
    const reads = sent.filter(({ operation }) => /Get|Query/.test(operation));
    expect(reads.map(({ operation }) => operation)).toEqual(['BatchGetItem']);
    expect(JSON.stringify(reads)).toContain(dataKeysKey(acme.accountId).pk);
    sent.length = 0;
    await acme.key.ok(listLeads);
    stop();
    expect(sent).not.toEqual([]);
    expect(JSON.stringify(sent)).not.toContain('DATAKEYS');
  });

  test('dry runs and GETs create no data keys', async () => {
    const fresh = await tenant();
    const dry = { body: { ...ssn, plain: 'x' } };
    const { jwe } = (await fresh.key.dryRun(keepSecret, dry)).answer;
    expect((await open(fresh, jwe)).status).toBe(500);
    expect(await getItem(dataKeysKey(fresh.accountId))).toBeUndefined();
    await keep(fresh);
    expect((await open(fresh, jwe)).status).toBe(500);
    expect((await open(fresh, (await fresh.key.dryRun(keepSecret, dry)).answer.jwe)).status).toBe(200);
  });

  test('encrypting a value for another account fails with 500', async () => {
    const careless = endpoint({
      method: 'POST',
      path: '/careless',
      permission: 'writeLeads',
      sensitive: true,
      writes: true,
      response: object({}),
      noDryRun: 'It fails before.',
      summary: 'Mix up accounts',
      async decide({ dataKeys }) {
        await (await dataKeys()).encrypt({ account: other.accountId, ...ssn }, 'x');
        return { response: {}, writes: [], events: [] };
      },
    });
    expect((await acme.key.call(careless)).status).toBe(500);
  });
});

describe('a rotation', () => {
  test('after a key rotation, new values use the new key, and old values can still be decrypted and found', async () => {
    const fresh = await tenant();
    const old = await keep(fresh);
    expect(await rotateDataKey(fresh.accountId)).toBe('2');
    const next = await keep(fresh);
    const kidOf = (jwe: string) =>
      JSON.parse(Buffer.from(jwe.split('.')[0] ?? '', 'base64url').toString()).kid;
    expect([kidOf(old.jwe), kidOf(next.jwe)]).toEqual(['1', '2']);
    expect(next.blind).toBe(old.blind);
    letKeysExpire();
    for (const { jwe } of [old, next])
      expect((await open(fresh, jwe)).body).toEqual({ plain: '123-45-6789' });
    expect((await keep(fresh)).blind).toBe(old.blind);
    expect(await storedKeys(fresh)).toMatchObject({ current: '2', version: 2 });
  });

  test('concurrent key rotations add one key each', async () => {
    const fresh = await tenant();
    const { blind } = await keep(fresh);
    const kids = await concurrently(5, () => rotateDataKey(fresh.accountId));
    expect(kids.sort()).toEqual(['2', '3', '4', '5', '6']);
    expect(await storedKeys(fresh)).toMatchObject({ current: '6', version: 6 });
    expect((await keep(fresh)).blind).toBe(blind);
  });

  test('a key rotation of an account without data keys fails with a message', async () => {
    const fresh = await tenant();
    await expect(rotateDataKey(fresh.accountId)).rejects.toThrow('has no data key yet');
    await expect(rotateDataKey('acc_nowhere' as AccountId)).rejects.toThrow('No account acc_nowhere');
  });
});
