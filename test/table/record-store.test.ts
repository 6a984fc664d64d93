import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { ApiError } from '../../shared/errors.ts';
import { eventKey } from '../../shared/events/keys.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { mintId } from '../../shared/id/mint.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { type Child, childStore } from '../../shared/table/child-store.ts';
import { auditKey, listKey, recordKey } from '../../shared/table/keys.ts';
import { isCounterDelta, type Write } from '../../shared/table/operations.ts';
import { queryItems } from '../../shared/table/read.ts';
import type { Versioned } from '../../shared/table/record-fields.ts';
import { recordStore } from '../../shared/table/record-store.ts';
import { requireEmptyScope, scopedBy } from '../../shared/table/scope.ts';
import { transact, VersionConflict } from '../../shared/table/transact.ts';
import { concurrently } from '../harness/concurrently.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';

afterEach(noFaults);

const acme = 'acme' as AccountId;
const other = 'other' as AccountId;
const now = new Date();
const send = (writes: readonly Write[]) => transact(writes, Date.now() + 30_000);
/** Returns the code of the ApiError that the writes throw. */
const failure = (writes: readonly Write[]) =>
  send(writes).then(
    () => 'written',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  );
const fields = (accountId = acme) => ({
  accountId,
  version: 1,
  createdAt: now.toISOString(),
  updatedAt: now.toISOString(),
});
const stored = (id: string | number, noun: string) =>
  queryItems({
    partition: `ACCOUNT#acme#${noun}#${typeof id === 'number' ? String(id).padStart(16, '0') : id}`,
  });

interface Plan extends Versioned {
  id: string;
  listId: number;
  title: string;
  pages: string[];
}
interface PlanSummary {
  id: string;
  title: string;
  version: number;
}
const plans = recordStore<Plan, 'plan', PlanSummary>({
  resource: 'plan',
  children: true,
  idFrom: (text) => (/^[\w.~-]{1,64}$/.test(text) ? text : undefined),
  summary: ({ id, title, version }) => ({ id, title, version }),
});
const plan = (id: string, accountId = acme): Plan => ({
  id,
  listId: mintId(now),
  title: 'first',
  pages: ['one'],
  ...fields(accountId),
});
const next = (before: Plan, title: string): Plan => ({ ...before, title, version: before.version + 1 });

describe('a record with a text id', () => {
  test('a record with a text id is found in its own account only', async () => {
    await send(plans.insert(plan('app_one.two~3-4')));
    expect(await plans.get(acme, 'app_one.two~3-4')).toMatchObject({ title: 'first' });
    expect(await plans.find(other, 'app_one.two~3-4')).toBeUndefined();
    expect(await plans.find(acme, 'APP_one.two~3-4')).toBeUndefined();
    expect(await plans.findMany(acme, ['app_one.two~3-4', 'nobody'])).toHaveLength(1);
  });

  test('a text id must not be empty or contain #, because # separates the parts of a partition key', async () => {
    for (const id of ['a#NOTE', '#', ''])
      await expect(plans.find(acme, id)).rejects.toThrow(/must not be empty or contain #/);
    expect(() => plans.insert(plan('a#NOTE'))).toThrow(/must not be empty or contain #/);
  });

  test('records with text ids are listed in the order of creation', async () => {
    const account = 'ordered' as AccountId;
    for (const id of ['mmm', 'zzz', 'aaa']) await send(plans.insert(plan(id, account)));
    expect((await plans.newest(account, 10)).map(({ id }) => id)).toEqual(['aaa', 'zzz', 'mmm']);
    expect(await plans.total(account)).toBe(3);
  });

  test('a record with a text id needs a listId', () => {
    const loose = recordStore<Versioned, 'plan'>({ resource: 'plan', noun: 'LOOSE' });
    expect(() => loose.insert({ id: 'x', ...fields() })).toThrow(/needs a numeric id or listId/);
  });

  test('lookUp distinguishes a deleted id from an unused id, and a deleted id cannot be reused', async () => {
    const record = plan('gone');
    expect(await plans.lookUp(acme, 'gone')).toEqual({ retired: false });
    await send(plans.insert(record));
    expect((await plans.lookUp(acme, 'gone')).record).toMatchObject({ id: 'gone' });
    await send(plans.delete(record, now));
    expect(await plans.lookUp(acme, 'gone')).toEqual({ retired: true });
    await expect(send(plans.insert(plan('gone')))).rejects.toThrow(VersionConflict);
  });
});

describe('a record with a summary', () => {
  test('a list shows the summary, and only the summary has index keys', async () => {
    const account = 'listed' as AccountId;
    await send(plans.insert(plan('shown', account)));
    expect(await plans.newest(account, 10)).toEqual([{ id: 'shown', title: 'first', version: 1 }]);
    const { items } = await plans.listOf(account).newest({});
    expect(items).toEqual([{ id: 'shown', title: 'first', version: 1 }]);
    const all = await queryItems({ partition: 'ACCOUNT#listed#PLAN#shown' });
    expect(all.map(({ sk, listPk }) => [sk, listPk])).toEqual([
      ['RECORD', undefined],
      ['SUMMARY', 'ACCOUNT#listed#PLAN'],
      ['TOTALS', undefined],
    ]);
  });

  test('record and summary stay consistent despite conflicts, lost responses and twenty writers', async () => {
    await send(plans.insert(plan('contended')));
    injectFaults({ conflicts: 0.2, lostResponses: 0.1, overlap: true });
    const rename = async (title: string): Promise<void> => {
      const before = await plans.get(acme, 'contended');
      try {
        await send(plans.replace(before, next(before, title)));
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error;
        await rename(title);
      }
    };
    await concurrently(20, (n) => rename(`by ${n}`));
    expect(injected.conflicts + injected.overlaps).toBeGreaterThan(0);
    noFaults();
    const [record, summary] = await stored('contended', 'PLAN');
    expect(record?.version).toBeGreaterThanOrEqual(21);
    expect(summary).toMatchObject({ version: record?.version, title: record?.title });
  });

  test('a deletion leaves only the tombstone', async () => {
    const account = 'emptied' as AccountId;
    const record = plan('gone', account);
    await send(plans.insert(record));
    await send(plans.delete(record, now));
    const items = await queryItems({ partition: 'ACCOUNT#emptied#PLAN#gone' });
    expect(items).toEqual([
      { pk: 'ACCOUNT#emptied#PLAN#gone', sk: 'RECORD', id: 'gone', deletedAt: now.toISOString() },
    ]);
    expect([await plans.newest(account, 10), await plans.total(account)]).toEqual([[], 0]);
  });

  test('a summary may have at most 2 KB', () => {
    const bytes = (title: string) => Buffer.byteLength(JSON.stringify({ id: 'x', title, version: 1 }));
    const room = 2048 - bytes('');
    expect(plans.insert({ ...plan('x'), title: 'é'.repeat(Math.floor(room / 2)) })).toBeDefined();
    expect(plans.insert({ ...plan('x'), title: 'e'.repeat(room) })).toBeDefined();
    expect(() => plans.insert({ ...plan('x'), title: 'e'.repeat(room + 1) })).toThrow(
      /exceeds the limit of 2048 bytes/,
    );
  });

  test('a record may have at most 300 KB, independently of the size of its summary', async () => {
    const large = { ...plan('large'), pages: ['x'.repeat(299 * 1024)] };
    await send(plans.insert(large));
    expect((await plans.get(acme, 'large')).pages[0]).toHaveLength(299 * 1024);
    expect(() => plans.replace(large, { ...next(large, 'l'), pages: ['x'.repeat(301 * 1024)] })).toThrow(
      expect.objectContaining({ code: 'record_too_large' }),
    );
  });

  test('the audit entries of a record are read with it, without other items of the partition', async () => {
    const record = plan('audited');
    await send(plans.insert(record));
    const pk = 'ACCOUNT#acme#PLAN#audited';
    await putAll([
      { pk, sk: 'APPKEY', hash: 'secret' },
      { pk, sk: 'AUDIT#0000000000000001', event: 'one' },
      { pk, sk: 'AUDIT#0000000000000002', event: 'two' },
    ]);
    const read = await plans.getWithAudit<{ event: string }>(acme, 'audited');
    expect(read.title).toBe('first');
    expect(read.auditLog).toEqual([{ event: 'two' }, { event: 'one' }]);
  });
});

interface Tag extends Versioned {
  id: number;
  shelf: string;
}
const tags = recordStore<Tag, 'tag'>({
  resource: 'tag',
  scope: scopedBy(({ shelf }) => ['shelf', shelf], 3),
});
const tag = (shelf: string): Tag => ({ id: mintId(now), shelf, ...fields() });

describe('a list with a scope', () => {
  test('a scoped list contains its own records, newest first, and counts them', async () => {
    const [a, b, c] = [tag('list-a'), tag('list-b'), tag('list-a')];
    for (const one of [a, b, c]) await send(tags.insert(one));
    expect((await tags.newest(acme, 10, ['shelf', 'list-a'])).map(({ id }) => id)).toEqual([c.id, a.id]);
    expect(await tags.total(acme, ['shelf', 'list-a'])).toBe(2);
    const source = tags.listOf(acme, ['shelf', 'list-b']);
    expect([(await source.newest({})).items.map(({ id }) => id), await source.total()]).toEqual([[b.id], 1]);
    expect([await tags.newest(acme, 10), await tags.total(acme)]).toEqual([[], 0]);
  });

  test('if ten records are added concurrently to a scope with a limit of three, only three are written', async () => {
    injectFaults({ overlap: true });
    const codes = await concurrently(10, () => failure(tags.insert(tag('full'))));
    noFaults();
    expect(codes.filter((code) => code === 'written')).toHaveLength(3);
    expect(codes.filter((code) => code === 'quota_exceeded')).toHaveLength(7);
    expect(await tags.total(acme, ['shelf', 'full'])).toBe(3);
  });

  test('a record that moves to another scope changes both lists and counters, unless the scope is full', async () => {
    const moving = tag('from');
    await send(tags.insert(moving));
    const moved = { ...moving, shelf: 'to', version: 2 };
    await send(tags.replace(moving, moved));
    const totals = async () => [
      await tags.total(acme, ['shelf', 'from']),
      await tags.total(acme, ['shelf', 'to']),
      (await tags.newest(acme, 9, ['shelf', 'from'])).length,
      (await tags.newest(acme, 9, ['shelf', 'to'])).length,
    ];
    expect(await totals()).toEqual([0, 1, 0, 1]);
    for (let n = 0; n < 3; n++) await send(tags.insert(tag('crowded')));
    const crowded = { ...moved, shelf: 'crowded', version: 3 };
    expect(await failure(tags.replace(moved, crowded))).toBe('quota_exceeded');
    expect(await totals()).toEqual([0, 1, 0, 1]);
  });

  test('a scope can be deleted with its counter only if the scope is empty', async () => {
    const held = tag('held');
    await send(tags.insert(held));
    const close = () =>
      failure([requireEmptyScope(tags.noun, acme, ['shelf', 'held'], new ApiError('own_expiry'))]);
    expect(await close()).toBe('own_expiry');
    await send(tags.delete(held, now));
    expect(await close()).toBe('written');
    const counters = await queryItems({ partition: 'ACCOUNT#acme#QUOTA' });
    expect(counters.map(({ sk }) => sk)).not.toContain('TAG#shelf#held');
    expect(await close()).toBe('written');
  });

  test('the counter of a scope is exact after any sequence of inserts, moves and deletions', async () => {
    const shelves = ['s1', 's2'];
    const step = fc.record({
      what: fc.constantFrom('insert', 'move', 'delete'),
      shelf: fc.constantFrom(...shelves),
      which: fc.nat(5),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.uuid(), async (steps, run) => {
        let held: Tag[] = [];
        for (const { what, shelf, which } of steps) {
          const one = held[which % Math.max(held.length, 1)];
          const fresh = what === 'insert' ? tag(`${run}-${shelf}`) : undefined;
          const after = what === 'move' &&
            one && { ...one, shelf: `${run}-${shelf}`, version: one.version + 1 };
          const writes = fresh
            ? tags.insert(fresh)
            : one
              ? after
                ? tags.replace(one, after)
                : tags.delete(one, now)
              : [];
          if ((await failure(writes)) !== 'written') continue;
          held = [
            ...held.filter((kept) => fresh || kept !== one),
            ...(fresh ? [fresh] : after ? [after] : []),
          ];
        }
        for (const shelf of shelves) {
          const within = ['shelf', `${run}-${shelf}`];
          const expected = held.filter((kept) => kept.shelf === within[1]).length;
          expect(await tags.total(acme, within)).toBe(expected);
          expect(await tags.newest(acme, 10, within)).toHaveLength(expected);
        }
      }),
      { numRuns: 15 },
    );
  });
});

const changesOf = (writes: readonly Write[]) =>
  writes.flatMap((write) => (isCounterDelta(write) || !write.change ? [] : [write.change]));

test('writes report the record that they create, update or delete, but not the other items that belong to the record', () => {
  const before = plan('p1');
  expect(changesOf(plans.insert(before))).toEqual([{ type: 'plan', id: 'p1', action: 'created' }]);
  expect(changesOf(plans.replace(before, next(before, 'b')))).toEqual([
    { type: 'plan', id: 'p1', action: 'updated' },
  ]);
  expect(changesOf(plans.replace(before, before))).toEqual([]);
  expect(changesOf(plans.delete(before, now))).toEqual([{ type: 'plan', id: 'p1', action: 'deleted' }]);
  expect(changesOf(plans.hardDelete(before))).toEqual([{ type: 'plan', id: 'p1', action: 'deleted' }]);
  expect(changesOf([plans.unchanged(before)])).toEqual([]);
});

test('records of an older data folder are read, listed, changed and deleted', async () => {
  interface Old extends Versioned {
    id: number;
    name: string;
  }
  const olds = recordStore<Old, 'old'>({ resource: 'old' });
  const record = { id: 7, name: 'kept', ...fields() };
  await putAll([
    {
      pk: 'ACCOUNT#acme#OLD#0000000000000007',
      sk: 'RECORD',
      listPk: 'ACCOUNT#acme#OLD',
      listSk: '0000000000000007',
      type: 'old',
      ...record,
    },
    { pk: 'ACCOUNT#acme#TOTALS', sk: '03', OLD: 1 },
  ]);
  expect(await olds.get(acme, 7)).toEqual(record);
  expect([await olds.newest(acme, 5), await olds.total(acme)]).toEqual([[record], 1]);
  const renamed = { ...record, name: 'renamed', version: 2 };
  await send(olds.replace(record, renamed));
  expect(await olds.newest(acme, 5)).toEqual([renamed]);
  await send(olds.delete(renamed, now));
  expect([await olds.newest(acme, 5), await olds.total(acme)]).toEqual([[], 0]);
});

interface Shop extends Versioned {
  id: string;
  listId: number;
}
const shops = recordStore<Shop, 'shop'>({ resource: 'shop', children: true });
interface Paper extends Child {
  shopId: string;
  topic: string;
  text: string;
}
const papers = childStore<Paper, 'paper'>({
  resource: 'paper',
  parent: 'shop',
  parentOf: ({ shopId }) => shopId,
  countedAs: ({ topic }) => [topic],
});
const stickers = childStore<Paper, 'sticker'>({
  resource: 'sticker',
  parent: 'shop',
  parentOf: ({ shopId }) => shopId,
});
const paper = (shopId: string, topic = 'any'): Paper => ({
  id: mintId(now),
  shopId,
  topic,
  text: 'a',
  ...fields(),
});
async function shop(id: string): Promise<Shop> {
  const record = { id, listId: mintId(now), ...fields() };
  await send(shops.insert(record));
  return record;
}

describe('children', () => {
  test('children are read strongly consistently, newest first, per kind and parent', async () => {
    await shop('one');
    await shop('two');
    const [first, second, elsewhere] = [paper('one'), paper('one'), paper('two')];
    for (const one of [first, second, elsewhere]) await send(papers.insert(one));
    await send(stickers.insert(paper('one')));
    expect((await papers.newest(acme, 'one', 10)).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(await papers.newest(acme, 'one', 1)).toHaveLength(1);
    expect(await papers.get(acme, 'one', first.id)).toEqual(first);
    await expect(papers.get(acme, 'two', first.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await papers.find('other' as AccountId, 'one', first.id)).toBeUndefined();
    const source = papers.listOf(acme, 'one');
    expect([(await source.newest({})).items, await source.total()]).toEqual([[second, first], 2]);
    expect(await papers.totals(acme, 'one')).toEqual({ PAPER: 2, 'PAPER any': 2, STICKER: 1 });
  });

  test('a child is changed and deleted by version, without a tombstone', async () => {
    await shop('versions');
    const before = paper('versions');
    await send(papers.insert(before));
    const after = { ...before, text: 'b', version: 2 };
    await send(papers.replace(before, after));
    for (const stale of [papers.replace(before, after), papers.delete(before), [papers.unchanged(before)]])
      await expect(send(stale)).rejects.toThrow(VersionConflict);
    expect(papers.replace(after, after)).toEqual([]);
    await send(papers.delete(after));
    expect(await queryItems({ partition: 'ACCOUNT#acme#SHOP#versions#PAPER' })).toEqual([]);
    expect(papers.totalOf(await papers.totals(acme, 'versions'))).toBe(0);
  });

  test('if ten children are added concurrently with a limit of four, only four are written', async () => {
    await shop('full');
    injectFaults({ conflicts: 0.1 });
    const limits = { most: 4, otherwise: new ApiError('own_expiry') };
    const codes = await concurrently(10, () => failure(papers.insert(paper('full'), limits)));
    noFaults();
    expect(codes.filter((code) => code === 'written')).toHaveLength(4);
    expect(codes.filter((code) => code === 'own_expiry')).toHaveLength(6);
    expect(await papers.newest(acme, 'full', 10)).toHaveLength(4);
    expect(papers.totalOf(await papers.totals(acme, 'full'))).toBe(4);
  });

  test('a limit for a name applies only to children that are created with that name or change to it', async () => {
    await shop('named');
    const limits = { most: 10, mostOf: { scan: 1, letter: 1 } };
    const [scan, letter] = [paper('named', 'scan'), paper('named', 'letter')];
    await send(papers.insert(scan, limits));
    expect(await failure(papers.insert(paper('named', 'scan'), limits))).toBe('quota_exceeded');
    await send(papers.insert(letter, limits));
    const renamed = { ...letter, topic: 'scan', version: 2 };
    expect(await failure(papers.replace(letter, renamed, limits))).toBe('quota_exceeded');
    const freed = { ...scan, topic: 'free', version: 2 };
    expect(await failure(papers.replace(scan, freed, limits))).toBe('written');
    expect(await failure(papers.replace(letter, renamed, limits))).toBe('written');
    const totals = await papers.totals(acme, 'named');
    expect(['scan', 'letter', 'free', undefined].map((name) => papers.totalOf(totals, name))).toEqual([
      1, 0, 1, 2,
    ]);
  });

  test('a parent that is missing or deleted accepts no children', async () => {
    expect(await failure(papers.insert(paper('nowhere')))).toBe('not_found');
    const record = await shop('closed');
    const kept = paper('closed');
    await send(papers.insert(kept));
    await send(shops.delete(record, now));
    const limits = { most: 1, otherwise: new ApiError('quota_exceeded') };
    expect(await failure(papers.insert(paper('closed'), limits))).toBe('not_found');
    expect(await failure(papers.delete(kept))).toBe('not_found');
    const items = await queryItems({ partition: 'ACCOUNT#acme#SHOP#closed' });
    expect(items.map(({ sk }) => sk)).toEqual(['RECORD']);
  });

  test('children that are added while their parent is deleted are stored or rejected, and leave no totals', async () => {
    const record = await shop('raced');
    injectFaults({ conflicts: 0.1 });
    const added = Array.from({ length: 10 }, () => failure(papers.insert(paper('raced'))));
    await send(shops.delete(record, now));
    const codes = await Promise.all(added);
    noFaults();
    expect(codes.every((code) => code === 'written' || code === 'not_found')).toBe(true);
    const there = await papers.newest(acme, 'raced', 20);
    expect(there).toHaveLength(codes.filter((code) => code === 'written').length);
    expect(await papers.totals(acme, 'raced')).toEqual({});
  });

  test('children of a parent with a numeric id are stored in a separate partition', async () => {
    const crates = childStore<Child & { boxId: number }, 'crate'>({
      resource: 'crate',
      parent: 'box',
      parentOf: ({ boxId }) => boxId,
    });
    const boxes = recordStore<Versioned & { id: number }, 'box'>({
      resource: 'box',
      children: true,
    });
    await send(boxes.insert({ id: 12, ...fields() }));
    await send(crates.insert({ id: 34, boxId: 12, ...fields() }));
    const items = await queryItems({ partition: 'ACCOUNT#acme#BOX#0000000000000012#CRATE' });
    expect(items.map(({ sk }) => sk)).toEqual(['0000000000000034']);
  });

  test('the writes of children report the child that they create, update or delete', () => {
    const before = paper('p1');
    const { id } = before;
    expect(changesOf(papers.insert(before))).toEqual([{ type: 'paper', id, action: 'created' }]);
    expect(changesOf(papers.replace(before, { ...before, topic: 'b' }))).toEqual([
      { type: 'paper', id, action: 'updated' },
    ]);
    expect(changesOf(papers.delete(before))).toEqual([{ type: 'paper', id, action: 'deleted' }]);
  });
});

test('ids as text sort in numeric order, up to the largest id', () => {
  const texts: ((id: number) => string)[] = [
    (id) => eventKey(acme, id).sk,
    (id) => listKey(acme, 'LEAD', id).listSk,
    (id) => recordKey(acme, 'LEAD', id).pk,
    (id) => auditKey(acme, 'LEAD', 1, id).sk,
  ];
  const id = fc.oneof(
    fc.maxSafeNat(),
    fc.constantFrom(0, 999_999_999_999_999, 1_000_000_000_000_000, Number.MAX_SAFE_INTEGER),
  );
  fc.assert(
    fc.property(id, id, (one, other) => {
      for (const textOf of texts) expect(textOf(one) < textOf(other)).toBe(one < other);
    }),
  );
});
