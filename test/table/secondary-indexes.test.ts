import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AccountId } from '../../shared/id/account-id.ts';
import { mintId } from '../../shared/id/mint.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { readDue } from '../../shared/table/due.ts';
import { type Due, dueAcrossAccountsKey, dueShards, readDueKey } from '../../shared/table/due-keys.ts';
import { type ListedNoun, totalShards } from '../../shared/table/keys.ts';
import { isCounterDelta, type Write } from '../../shared/table/operations.ts';
import { type Bounds, queryItems } from '../../shared/table/read.ts';
import { queryMerged } from '../../shared/table/read-merged.ts';
import type { Versioned } from '../../shared/table/record-fields.ts';
import { recordStore } from '../../shared/table/record-store.ts';
import { countOf, listOfIndex, secondaryIndexes } from '../../shared/table/secondary-indexes.ts';
import { readTotals } from '../../shared/table/totals.ts';
import { transact } from '../../shared/table/transact.ts';
import { concurrently } from '../harness/concurrently.ts';
import { watchWire } from '../harness/wire.ts';

const now = new Date('2026-05-01T12:00:00.000Z');
const send = (writes: readonly Write[], shards?: readonly number[]) =>
  transact(writes, Date.now() + 30_000, 0, shards);

interface Job extends Versioned {
  id: number;
  phase: 'open' | 'waiting' | 'done';
  worker?: string;
  due?: string;
  labels: string[];
}
interface JobSummary extends Pick<Job, 'id' | 'phase' | 'worker' | 'due' | 'labels' | 'version'> {
  clock: { used: number };
}
const phases = ['open', 'waiting', 'done'] as const;
const holderOf = ({ worker }: Job) => worker ?? 'none';
const indexes = secondaryIndexes<Job>({
  state: ({ phase }: Job) => [phase],
  holder: (job: Job) => (job.phase === 'done' ? undefined : [holderOf(job), job.phase]),
  due: ({ due }: Job) => due,
  countedAs: (job: Job) => [{ of: job.phase }, { of: job.phase, within: ['BY', holderOf(job)] }],
});
const jobs = recordStore<Job, 'job', JobSummary>({
  resource: 'job',
  indexes,
  largestSummary: 8 * 1024,
  summary: ({ id, phase, worker, due, labels, version }) => ({
    id,
    phase,
    worker,
    due,
    labels,
    version,
    clock: { used: version },
  }),
});
/** The same store without a summary. The index keys are then in the record itself. */
const tasks = recordStore<Job, 'job'>({ resource: 'job', noun: 'TASK', indexes });

let accounts = 0;
const newAccount = () => `indexes-${accounts++}` as AccountId;
const job = (accountId: AccountId, more: Partial<Job> = {}): Job => ({
  id: mintId(now),
  accountId,
  version: 1,
  createdAt: now.toISOString(),
  updatedAt: now.toISOString(),
  phase: 'open',
  labels: [],
  ...more,
});
const changed = (before: Job, more: Partial<Job>): Job => ({
  ...before,
  ...more,
  version: before.version + 1,
});
const idsIn = async (
  store: typeof jobs | typeof tasks,
  account: AccountId,
  index: 'state' | 'holder',
  partitions: string[][],
  bounds: Bounds = {},
) =>
  (
    await listOfIndex<{ id: number }>(store, account, index, partitions, async () => 0).newest(bounds)
  ).items.map(({ id }) => id);
const newestFirst = (records: readonly Job[]) => records.map(({ id }) => id).sort((a, b) => b - a);
const everyDue = async (noun: ListedNoun, before: Date) => {
  const shards = Array.from({ length: dueShards }, (_, shard) =>
    readDue({ noun, shard, before, limit: 1000 }),
  );
  return (await Promise.all(shards)).flat();
};

/** Returns the requests with this operation that DynamoDB receives during `run`. */
async function requestsOf(
  operation: string,
  run: () => Promise<unknown>,
): Promise<Record<string, unknown>[]> {
  const seen: Record<string, unknown>[] = [];
  const stop = watchWire({
    // `done` reports a request once, even if the request is sent again because its connection was lost.
    done: (_, request) => {
      if (request.operation === operation) seen.push(request.input);
    },
  });
  await run().finally(stop);
  return seen;
}

describe.each([
  ['with a summary', jobs],
  ['without one', tasks],
])('a record %s', (_, store) => {
  const step = fc.record({
    what: fc.constantFrom('insert', 'replace', 'delete', 'hardDelete'),
    which: fc.nat(5),
    phase: fc.constantFrom(...phases),
    worker: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
    due: fc.option(fc.constantFrom('2026-05-01T11:00:00.000Z', '2026-05-01T12:00:00.001Z'), {
      nil: undefined,
    }),
  });

  test('secondary indexes, counters and records are consistent after any sequence of writes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const account = newAccount();
        let held: Job[] = [];
        for (const { what, which, phase, worker, due } of steps) {
          const one = held[which % Math.max(held.length, 1)];
          if (what === 'insert' || !one) {
            const fresh = job(account, { phase, worker, due });
            await send(store.insert(fresh));
            held = [...held, fresh];
          } else if (what === 'replace') {
            const after = changed(one, { phase, worker, due });
            await send(store.replace(one, after));
            held = held.map((kept) => (kept === one ? after : kept));
          } else {
            await send(what === 'delete' ? store.delete(one, now) : store.hardDelete(one));
            held = held.filter((kept) => kept !== one);
          }
        }
        expect((await store.newest(account, 100)).map(({ id }) => id)).toEqual(newestFirst(held));
        expect(await store.total(account)).toBe(held.length);
        for (const phase of phases) {
          const inPhase = held.filter((kept) => kept.phase === phase);
          expect(await idsIn(store, account, 'state', [[phase]])).toEqual(newestFirst(inPhase));
          expect(await countOf(store, account, [{ of: phase }])).toBe(inPhase.length);
          for (const holder of ['1', '2', 'none']) {
            const theirs = inPhase.filter((kept) => holderOf(kept) === holder);
            expect(await idsIn(store, account, 'holder', [[holder, phase]])).toEqual(
              phase === 'done' ? [] : newestFirst(theirs),
            );
            const name = { of: phase, within: ['BY', holder] };
            expect(await countOf(store, account, [name])).toBe(theirs.length);
          }
        }
        const due = (await everyDue(store.noun, new Date('2026-05-02'))).filter(
          (one) => one.account === account,
        );
        expect(due.map(({ id, at }) => [id, at]).sort()).toEqual(
          held.flatMap((kept) => (kept.due ? [[kept.id, kept.due]] : [])).sort(),
        );
        for (const one of held)
          expect(await store.find(account, one.id)).toEqual(JSON.parse(JSON.stringify(one)));
      }),
      { numRuns: 8 },
    );
  });

  test('a change updates only the counters whose values change', async () => {
    const account = newAccount();
    const first = job(account, { worker: '1' });
    const deltas = (writes: Write[]) =>
      writes.filter(isCounterDelta).map(({ of, amount, within = [] }) => [...within, of, amount]);
    const noun = store.noun;
    expect(deltas(store.insert(first))).toEqual([
      [noun, 1],
      [`${noun} open`, 1],
      [noun, 'BY', '1', `${noun} open`, 1],
    ]);
    expect(deltas(store.replace(first, changed(first, { labels: ['new'] })))).toEqual([]);
    expect(deltas(store.replace(first, changed(first, { worker: '2' })))).toEqual([
      [noun, 'BY', '1', `${noun} open`, -1],
      [noun, 'BY', '2', `${noun} open`, 1],
    ]);
    expect(deltas(store.replace(first, changed(first, { phase: 'done' })))).toHaveLength(4);
    expect(deltas(store.hardDelete(first))).toHaveLength(3);
  });
});

test('a transaction writes one shard of each partition of totals, and skips partitions whose totals do not change', async () => {
  const account = newAccount();
  const first = job(account, { worker: '1' });
  await send(jobs.insert(first));
  const second = changed(first, { worker: '2' });
  const third = changed(second, { worker: '1', phase: 'waiting' });
  const keys = async (writes: Write[]) => {
    const [request] = await requestsOf('TransactWriteItems', () => send(writes, [3, 11]));
    const parts = request?.TransactItems as { Update?: { Key: { pk: { S: string }; sk: { S: string } } } }[];
    return parts.flatMap(({ Update }) => (Update ? [[Update.Key.pk.S, Update.Key.sk.S] as const] : []));
  };
  const moved = await keys([
    ...jobs.replace(first, second),
    { account, of: 'SOMETHING', amount: 1 },
    { account, of: 'SOMETHING', amount: -1 },
    { account, of: 'EVENTS', amount: 1 },
  ]);
  const totals = `ACCOUNT#${account}#TOTALS`;
  expect(moved.map(([pk]) => pk).sort()).toEqual([totals, `${totals}#JOB#BY#1`, `${totals}#JOB#BY#2`]);
  for (const [, sk] of moved) expect(['03', '11']).toContain(sk);
  const both = await keys([...jobs.replace(second, third), { account, of: 'EVENTS', amount: 1 }]);
  expect(both).toHaveLength(3);
  expect(await readTotals(account)).toEqual(
    new Map([
      ['JOB', 1],
      ['JOB open', 0],
      ['JOB waiting', 1],
      ['EVENTS', 2],
    ]),
  );
});

test('several totals are counted with one query for each partition of totals', async () => {
  const account = newAccount();
  for (const phase of phases) await send(jobs.insert(job(account, { phase, worker: '1' })));
  const names = phases.map((of) => ({ of, within: ['BY', '1'] }));
  let count = 0;
  const queries = await requestsOf('Query', async () => {
    count = await countOf(jobs, account, [...names, { of: 'open' }, { of: 'done' }]);
  });
  expect([count, queries.length]).toEqual([5, 2]);
  expect(await countOf(jobs, account, [{ of: 'open', within: ['BY', 'nobody'] }])).toBe(0);
});

test('a summary may contain lists and objects, and may have its own size limit', async () => {
  const account = newAccount();
  const one = job(account, { labels: ['vip', 'x'.repeat(7_000)] });
  await send(jobs.insert(one));
  expect(await jobs.newest(account, 1)).toEqual([
    { id: one.id, phase: 'open', labels: one.labels, version: 1, clock: { used: 1 } },
  ]);
  expect(() => jobs.insert(job(account, { labels: ['x'.repeat(8_200)] }))).toThrow(
    /exceeds the limit of 8192 bytes/,
  );
});

describe('partitions that are merged', () => {
  /** Writes index entries of an account directly to the table. The `n`th entry is in the partition `of(n)`. */
  const seed = (account: AccountId, count: number, of: (n: number) => string, text = '') =>
    putAll(
      Array.from({ length: count }, (_, n) => ({
        pk: `${account}#${n}`,
        sk: 'SUMMARY',
        statePk: `ACCOUNT#${account}#JOB#${of(n)}`,
        stateSk: String(n).padStart(16, '0'),
        id: n,
        text,
      })),
    );
  const list = (account: AccountId, partitions: string[], bounds: Bounds) =>
    listOfIndex(
      jobs,
      account,
      'state',
      partitions.map((name) => [name]),
      async () => 0,
    ).newest(bounds);

  test('a merged read returns the newest items of all partitions, for any limit', async () => {
    const account = newAccount();
    const names = ['a', 'b', 'c', 'd'];
    const places = fc.sample(fc.constantFrom('a', 'a', 'a', 'a', 'a', 'b', 'c'), 300);
    await seed(account, places.length, (n) => places[n] ?? 'a');
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...names)),
        fc.integer({ min: 1, max: 320 }),
        async (asked, limit) => {
          const { items, cut } = await list(account, asked, { limit });
          const expected = places
            .map((place, n) => ({ place, n }))
            .filter(({ place }) => asked.includes(place));
          expect(items.map(({ id }) => id)).toEqual(
            expected
              .map(({ n }) => n)
              .reverse()
              .slice(0, limit),
          );
          expect(cut).toBeUndefined();
        },
      ),
      { numRuns: 40 },
    );
  });

  test('each merged partition is read once per page, and again only if it may contain the next items', async () => {
    const account = newAccount();
    // The newest 350 of 400 items are in partition a, so only partition a needs another page.
    await seed(account, 400, (n) => (n < 50 ? (n % 2 ? 'b' : 'c') : 'a'));
    const queries = (limit: number) => requestsOf('Query', () => list(account, ['a', 'b', 'c'], { limit }));
    expect(await queries(25)).toHaveLength(3);
    expect(await queries(100)).toHaveLength(3);
    const [, , , ...more] = await queries(400);
    expect(more.map(({ ExpressionAttributeValues }) => ExpressionAttributeValues)).toEqual([
      { ':pk': { S: `ACCOUNT#${account}#JOB#a` } },
    ]);
  });

  test('a merged read that stops at its limit of bytes or time skips no item', async () => {
    const account = newAccount();
    // The first page of partition b contains older items than the first page of partition a. The read may return these
    // items only after the next pages of partition a.
    await seed(account, 240, (n) => (n % 40 === 0 ? 'b' : 'a'), 'x'.repeat(20_000));
    const { items, cut } = await list(account, ['a', 'b'], { limit: 1000, bytes: 1 });
    expect(cut).toBe('bytes');
    const ids = items.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(20);
    expect(ids).toEqual(Array.from({ length: ids.length }, (_, n) => 239 - n));
    expect((await list(account, ['a', 'b'], { limit: 1000 })).items).toHaveLength(240);
    expect((await list(account, ['a', 'b'], { limit: 1000, until: Date.now() })).cut).toBe('time');
  });

  test('merged partitions stay in order if the limit exceeds the first pages', async () => {
    const account = newAccount();
    await seed(account, 300, (n) => (n % 2 ? 'a' : 'b'));
    const partitions = ['a', 'b'].map((name) => `ACCOUNT#${account}#JOB#${name}`);
    for (const newestFirst of [true, false]) {
      const query = { partitions, index: 'state', newestFirst } as const;
      const { items } = await queryMerged(query, { limit: 250 });
      const ids = Array.from({ length: 250 }, (_, n) => (newestFirst ? 299 - n : n));
      expect(items.map(({ id }) => id)).toEqual(ids);
    }
  });

  test('an item that moves between two partitions is returned once', async () => {
    const [before, after] = ['before', 'after'].map((name) => `${name}-${newAccount()}`) as [string, string];
    const item = { pk: before, sk: '1' };
    await putAll([item]);
    // The item has moved, but the old partition still contains it, so both queries return it.
    const stop = watchWire({
      respond: ({ operation, input }) =>
        operation === 'Query' && JSON.stringify(input).includes(after)
          ? { status: 200, output: { Items: [{ pk: { S: before }, sk: { S: '1' } }], Count: 1 } }
          : undefined,
    });
    onTestFinished(() => void stop());
    expect((await queryMerged({ partitions: [before, after] }, {})).items).toEqual([item]);
  });
});

describe('due records', () => {
  test('due records before an instant are read oldest first, and reading can continue after any of them', async () => {
    const account = newAccount();
    const at = (minute: number) => new Date(Date.UTC(2026, 3, 1, 0, minute)).toISOString();
    const [noun, shard] = ['JOB', 5] as const;
    const ids = [5, 13, 21, 29].map((low) => 8_000_000_000 + low);
    for (const [n, id] of ids.entries()) await send(jobs.insert(job(account, { id, due: at(10 - n) })));
    const due = (before: string, limit: number) => readDue({ noun, shard, before: new Date(before), limit });
    const all = await due(at(11), 10);
    expect(all).toEqual(ids.map((id, n) => ({ account, noun: 'JOB', id, at: at(10 - n) })).reverse());
    expect(await due(at(9), 10)).toEqual(all.slice(0, 2));
    expect(await due(at(11), 3)).toEqual(all.slice(0, 3));
    const rest = await readDue({ noun, shard, before: new Date(at(11)), after: all[1], limit: 10 });
    expect(rest).toEqual(all.slice(2));
    expect(await readDue({ noun, shard: 4, before: new Date(at(11)), limit: 10 })).toEqual([]);
  });

  test('due records have separate partitions for each record type, and the partition keys of tickets contain no record type', async () => {
    const account = newAccount();
    const due = '2026-04-02T00:00:00.000Z';
    const one = { id: mintId(now), due };
    await send([...jobs.insert(job(account, one)), ...tasks.insert(job(account, one))]);
    const before = new Date('2026-04-02T00:00:00.001Z');
    for (const noun of ['JOB', 'TASK'] as const)
      expect((await everyDue(noun, before)).filter((found) => found.account === account)).toEqual([
        { account, noun, id: one.id, at: due },
      ]);
    expect(dueAcrossAccountsKey({ account, noun: 'TICKET', id: 21, at: due })).toEqual({
      duePk: 'DUE#TICKET#5',
      dueSk: `${due}#${account}#TICKET#0000000000000021`,
    });
  });

  test('the index keys of due records with text ids are parsed correctly', () => {
    const named: Due = {
      account: newAccount(),
      noun: 'WORKQUEUE',
      id: 'WEBHOOK#0000000000000021',
      at: '2026',
    };
    expect(readDueKey(dueAcrossAccountsKey(named).dueSk)).toEqual(named);
  });

  test('due records are spread over the shards by id', () => {
    const shards = Array.from({ length: 400 }, () =>
      dueAcrossAccountsKey({ account: newAccount(), noun: 'JOB', id: mintId(new Date()), at: '' }),
    ).map(({ duePk }) => duePk);
    expect(new Set(shards).size).toBe(dueShards);
  });

  test('a record with a text id cannot be due', () => {
    const loose = recordStore<Versioned & { id: string }, 'job'>({
      resource: 'job',
      noun: 'LOOSE',
      indexes: secondaryIndexes({ due: () => now.toISOString() }),
    });
    const { id: _, ...rest } = job(newAccount());
    expect(() => loose.insert({ ...rest, id: 'text', listId: 1 })).toThrow(/needs a numeric id/);
  });
});

test('totals use all shards, unless the caller passes specific shards', async () => {
  const account = newAccount();
  const at = (shards?: readonly number[]) =>
    concurrently(60, () => send([{ account, of: 'THING', amount: 1 }], shards));
  const used = async () => (await queryItems({ partition: `ACCOUNT#${account}#TOTALS` })).map(({ sk }) => sk);
  await at([3, 11]);
  expect(await used()).toEqual(['03', '11']);
  await at();
  expect((await used()).length).toBeGreaterThan(totalShards / 2);
  expect((await readTotals(account)).get('THING')).toBe(120);
});
