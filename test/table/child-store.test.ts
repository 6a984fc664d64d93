import { afterEach, describe, expect, test } from 'vitest';
import { ApiError } from '../../shared/errors.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { mintId } from '../../shared/id/mint.ts';
import { type Child, childStore } from '../../shared/table/child-store.ts';
import { isCounterDelta, type Write } from '../../shared/table/operations.ts';
import { queryItems } from '../../shared/table/read.ts';
import type { Versioned } from '../../shared/table/record-fields.ts';
import { recordStore } from '../../shared/table/record-store.ts';
import { transact, VersionConflict } from '../../shared/table/transact.ts';
import { injectFaults, noFaults } from '../harness/faults.ts';

afterEach(noFaults);

const acme = 'acme' as AccountId;
const now = new Date();
const send = (writes: readonly Write[]) => transact(writes, Date.now() + 30_000);
/** The code of the ApiError that the writes throw. */
const failure = (writes: readonly Write[]) =>
  send(writes).then(
    () => 'written',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  );
const fields = { accountId: acme, version: 1, createdAt: now.toISOString(), updatedAt: now.toISOString() };

interface Shop extends Versioned {
  id: string;
  listId: number;
}
const shops = recordStore<Shop, 'shop'>({ noun: 'SHOP', subject: 'shop', children: true });
interface Paper extends Child {
  shopId: string;
  topic: string;
  text: string;
}
const papers = childStore<Paper, 'paper'>({
  parent: 'SHOP',
  kind: 'PAPER',
  subject: 'paper',
  parentOf: ({ shopId }) => shopId,
  countedAs: ({ topic }) => [topic],
});
const stickers = childStore<Paper, 'sticker'>({
  parent: 'SHOP',
  kind: 'STICKER',
  subject: 'sticker',
  parentOf: ({ shopId }) => shopId,
});
const paper = (shopId: string, topic = 'any'): Paper => ({
  id: mintId(now),
  shopId,
  topic,
  text: 'a',
  ...fields,
});
async function shop(id: string): Promise<Shop> {
  const record = { id, listId: mintId(now), ...fields };
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

  test('of ten concurrent children with a limit of four, four are written, and the others get the limit’s error', async () => {
    await shop('full');
    injectFaults({ conflicts: 0.1 });
    const limits = { most: 4, otherwise: new ApiError('own_expiry') };
    const codes = await Promise.all(
      Array.from({ length: 10 }, () => failure(papers.insert(paper('full'), limits))),
    );
    noFaults();
    expect(codes.filter((code) => code === 'written')).toHaveLength(4);
    expect(codes.filter((code) => code === 'own_expiry')).toHaveLength(6);
    expect(await papers.newest(acme, 'full', 10)).toHaveLength(4);
    expect(papers.totalOf(await papers.totals(acme, 'full'))).toBe(4);
  });

  test('a limit on a name applies to that name only, also to children that change to it', async () => {
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

  test('children of a parent with a numeric id have a partition next to it', async () => {
    const crates = childStore<Child & { boxId: number }, 'crate'>({
      parent: 'BOX',
      kind: 'CRATE',
      subject: 'crate',
      parentOf: ({ boxId }) => boxId,
    });
    const boxes = recordStore<Versioned & { id: number }, 'box'>({
      noun: 'BOX',
      subject: 'box',
      children: true,
    });
    await send(boxes.insert({ id: 12, ...fields }));
    await send(crates.insert({ id: 34, boxId: 12, ...fields }));
    const items = await queryItems({ partition: 'ACCOUNT#acme#BOX#0000000000000012#CRATE' });
    expect(items.map(({ sk }) => sk)).toEqual(['0000000000000034']);
  });

  test('the writes of children contain what they create, update and delete', () => {
    const before = paper('p1');
    const changesOf = (writes: readonly Write[]) =>
      writes.flatMap((write) => (isCounterDelta(write) || !write.change ? [] : [write.change]));
    const { id } = before;
    expect(changesOf(papers.insert(before))).toEqual([{ type: 'paper', id, action: 'created' }]);
    expect(changesOf(papers.replace(before, { ...before, topic: 'b' }))).toEqual([
      { type: 'paper', id, action: 'updated' },
    ]);
    expect(changesOf(papers.delete(before))).toEqual([{ type: 'paper', id, action: 'deleted' }]);
  });
});
