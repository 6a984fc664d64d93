import { afterEach, describe, expect, test } from 'vitest';
import { ApiError } from '../../shared/errors.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { findEvent } from '../../shared/events/find-event.ts';
import { eventKey } from '../../shared/events/keys.ts';
import { eventExpiry } from '../../shared/events/log.ts';
import { commit } from '../../shared/events/outbox.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { deleteAll, putAll } from '../../shared/table/batch-write.ts';
import { asSeconds } from '../../shared/table/item.ts';
import {
  addToCounter,
  addWithinQuota,
  deleteIfVersion,
  putIfAbsent,
  putIfAbsentOrExpired,
  putIfVersion,
  type Write,
} from '../../shared/table/operations.ts';
import { getItem, getItems, queryItems } from '../../shared/table/read.ts';
import { VersionConflict } from '../../shared/table/transact.ts';
import { concurrently } from '../harness/concurrently.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { watchWire } from '../harness/wire.ts';

afterEach(noFaults);

let keys = 0;
const freshKey = () => ({ pk: `TEST#${++keys}`, sk: 'TEST' });
const write = (writes: Write[], milliseconds = 60_000) =>
  commit({ writes, events: [], deadline: Date.now() + milliseconds });
describe('a commit', () => {
  test('a commit without writes sends no request', async () => {
    let sent = 0;
    const stop = watchWire({ before: () => ++sent });
    await write([]);
    stop();
    expect(sent).toBe(0);
  });

  test('a commit with a failed condition has no effect, and throws the error of the failed write', async () => {
    const [there, absent] = [freshKey(), freshKey()];
    await write([putIfAbsent({ ...there, version: 1 })]);
    const cases: [Write, unknown][] = [
      [putIfAbsent(there), expect.any(VersionConflict)],
      [putIfAbsent(there, new ApiError('email_exists')), expect.objectContaining({ code: 'email_exists' })],
      [putIfVersion({ ...there, version: 3 }, 2), expect.any(VersionConflict)],
      [deleteIfVersion(there, 2), expect.any(VersionConflict)],
      [deleteIfVersion(absent, 1), expect.any(VersionConflict)],
    ];
    for (const [failing, thrown] of cases) {
      const counter = freshKey();
      await expect(write([addToCounter(counter, 1), failing])).rejects.toEqual(thrown);
      expect(await getItem(counter)).toBeUndefined();
    }
    expect(await getItem(there)).toMatchObject({ version: 1 });
  });

  test('concurrent commits succeed until the quota is reached, and all other commits are rejected', async () => {
    const key = freshKey();
    injectFaults({ overlap: true });
    const results = await concurrently(20, () =>
      write([addWithinQuota(key, 7)]).catch((error) => error.code),
    );
    expect(results.filter((result) => result === undefined)).toHaveLength(7);
    expect(results.filter((result) => result === 'quota_exceeded')).toHaveLength(13);
    expect(await getItem(key)).toMatchObject({ count: 7 });
  });

  test('a commit can replace an expired row, but fails if the row has not expired', async () => {
    const key = freshKey();
    const at = (seconds: number) => new Date(seconds * 1000);
    await write([putIfAbsentOrExpired({ ...key, expiresAtSeconds: 1000 }, at(500))]);
    await expect(write([putIfAbsentOrExpired({ ...key, expiresAtSeconds: 2000 }, at(999))])).rejects.toThrow(
      VersionConflict,
    );
    await write([putIfAbsentOrExpired({ ...key, expiresAtSeconds: 2000 }, at(1000))]);
    expect(await getItem(key)).toMatchObject({ expiresAtSeconds: 2000 });
  });

  test('a commit is retried after conflicts and throttling, and takes effect once', async () => {
    const key = freshKey();
    injectFaults({ conflicts: 0.3, throttles: 0.3, overlap: true });
    await concurrently(40, () => write([addToCounter(key, 1)]));
    expect(injected.conflicts).toBeGreaterThan(0);
    expect(injected.throttles).toBeGreaterThan(0);
    expect(injected.overlaps).toBeGreaterThan(0);
    expect(await getItem(key)).toMatchObject({ count: 40 });
  });

  test.each(['ThrottlingError', 'ProvisionedThroughputExceeded', 'RequestLimitExceeded'])(
    'a commit is retried after cancellation by %s',
    async (reason) => {
      const key = freshKey();
      injectFaults({ conflicts: 0.5, reason });
      await concurrently(20, () => write([addToCounter(key, 1)]));
      expect(injected.conflicts).toBeGreaterThan(0);
      expect(await getItem(key)).toMatchObject({ count: 20 });
    },
  );

  test('a commit with a permanent cancellation fails without retries', async () => {
    injectFaults({ conflicts: 1, reason: 'ItemCollectionSizeLimitExceeded' });
    await expect(write([addToCounter(freshKey(), 1)])).rejects.toMatchObject({
      name: 'TransactionCanceledException',
    });
    expect(injected.conflicts).toBe(1);
  });

  test('a commit whose response is lost takes effect once', async () => {
    const key = freshKey();
    const rows = Array.from({ length: 40 }, freshKey);
    injectFaults({ lostResponses: 0.25 });
    for (const row of rows) await write([addToCounter(key, 1), putIfAbsent(row)]);
    expect(injected.lostResponses).toBeGreaterThan(0);
    expect(await getItem(key)).toMatchObject({ count: 40 });
  });
});

test('a record above 300 KB is rejected before it is sent', () => {
  const large = { ...freshKey(), notes: 'я'.repeat(160_000) };
  const refused = expect.objectContaining({ code: 'record_too_large' });
  expect(() => putIfAbsent(large)).toThrow(refused);
  expect(() => putIfVersion({ ...large, version: 2 }, 1)).toThrow(refused);
});

const eventBy = (user: string): Event => ({
  id: 7,
  kind: 'lead_deleted',
  version: 1,
  accountId: 'acc_same' as AccountId,
  actor: { user, apiKey: null },
  subject: { type: 'lead', id: 1 },
  data: {},
  request: { method: 'DELETE', path: '/leads/1', headers: {}, ipAddress: '192.0.2.1' },
  occurredAt: '2026-03-01T09:30:00.000Z',
});

test('an event never replaces another event with the same id', async () => {
  const log = (user: string) => commit({ writes: [], events: [eventBy(user)], deadline: Date.now() + 1000 });
  await log('ada');
  await expect(log('bea')).rejects.toThrow(VersionConflict);
  expect(await getItem(eventKey('acc_same' as AccountId, 7))).toMatchObject({ actor: { user: 'ada' } });
});

test('the fields of an event cannot replace the key, type or expiry of its item', async () => {
  const account = 'acc_fields' as AccountId;
  const posing = { pk: 'ACCOUNT#acc_other#EVENT', sk: 'x', type: 'trigger', expiresAtSeconds: 1 };
  const event = { ...eventBy('ada'), ...posing, accountId: account };
  await commit({ writes: [], events: [event], deadline: Date.now() + 1000 });
  const key = eventKey(account, event.id);
  expect(await getItem(key)).toMatchObject({
    ...key,
    type: 'event',
    expiresAtSeconds: asSeconds(eventExpiry('2026-03')),
  });
  expect(await findEvent(account, event.id, new Date('2026-03-02'))).toEqual({
    ...eventBy('ada'),
    accountId: account,
  });
});

describe('a batch', () => {
  test('batch reads return items in the order of the keys, and retry unprocessed keys', async () => {
    const all = Array.from({ length: 120 }, freshKey);
    expect(await putAll(all.map((key, n) => ({ ...key, n })))).toEqual([]);
    injectFaults({ unprocessed: 0.15 });
    const absent = freshKey();
    for (let round = 0; round < 30; round++) {
      const read = await getItems([...all.toReversed(), absent, ...all.slice(0, 1)]);
      expect(read.map((item) => item?.n)).toEqual([...[...all.keys()].reverse(), undefined, 0]);
    }
    expect(injected.unprocessed).toBeGreaterThan(0);
  });

  test('batch writes retry unprocessed items, and return the items that remain unprocessed', async () => {
    const all = Array.from({ length: 60 }, freshKey);
    injectFaults({ unprocessed: 0.1 });
    expect(await putAll(all)).toEqual([]);
    expect((await getItems(all)).filter((item) => item === undefined)).toEqual([]);
    injectFaults({ unprocessed: 1 });
    expect(await deleteAll(all.slice(0, 30))).toEqual(all.slice(0, 30));
    noFaults();
    expect(await deleteAll(all)).toEqual([]);
    expect((await getItems(all)).filter((item) => item !== undefined)).toEqual([]);
  });
});

test('batch deletions send each key once, because DynamoDB rejects duplicates', async () => {
  const [one, other] = [freshKey(), freshKey()];
  const sent: unknown[] = [];
  const stop = watchWire({
    before: ({ operation, input }) => {
      if (operation === 'BatchWriteItem') sent.push(...Object.values(input.RequestItems as object).flat());
    },
  });
  expect(await deleteAll([one, other, { ...one }])).toEqual([]);
  stop();
  expect(sent).toHaveLength(2);
});

test('a query reads all pages up to its limit, in both directions and within a range', async () => {
  const pk = 'TEST#many';
  const all = Array.from({ length: 30 }, (_, n) => ({
    pk,
    sk: String(n).padStart(2, '0'),
    text: 'x'.repeat(60_000),
  }));
  await putAll(all);
  const read = async (query: object) =>
    (await queryItems({ partition: pk, ...query })).map(({ sk }) => Number(sk));
  const upwards = [...all.keys()];
  expect(await read({})).toEqual(upwards);
  expect(await read({ newestFirst: true })).toEqual(upwards.toReversed());
  expect(await read({ limit: 25 })).toEqual(upwards.slice(0, 25));
  expect(await read({ sortKey: { from: '05', to: '24' }, newestFirst: true, limit: 19 })).toEqual(
    upwards.slice(6, 25).reverse(),
  );
});
