import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { applyView, isAnyOf, mentions, pageOf } from '../../shared/endpoints/list-view.ts';
import { listing, listingForPrincipal } from '../../shared/endpoints/listing.ts';
import { boolean, integer, object, optional, type Static, string } from '../../shared/schema.ts';
import { searchWordsOf } from '../../shared/search/search-words.ts';
import { firstCharacters } from '../../shared/table/cut-text.ts';
import type { ListSource } from '../../shared/table/list-source.ts';
import type { Bounds, QueryResult } from '../../shared/table/read.ts';
import { type CallResponse, call } from '../harness/call.ts';
import { tenant } from '../harness/tenant.ts';

interface Row {
  id: number;
  name: string;
  score?: number;
}

const rows = fc
  .array(
    fc.record({
      name: fc.string({ maxLength: 3 }),
      score: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    }),
    { maxLength: 40 },
  )
  .map((all) => all.map((row, id): Row => ({ id, ...row })));
const pages = fc.record({ page: fc.integer({ min: 1, max: 6 }), pageSize: fc.integer({ min: 1, max: 10 }) });
const order = fc.uniqueArray(
  fc.record({ field: fc.constantFrom('name' as const, 'score' as const), descending: fc.boolean() }),
  { selector: ({ field }) => field, maxLength: 2 },
);

describe('a view', () => {
  test('the pages of a view contain each matching record once', () => {
    fc.assert(
      fc.property(
        rows,
        order,
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 0, max: 3 }),
        (all, by, pageSize, score) => {
          const view = { pageSize, conditions: [isAnyOf<Row>('score', [score, undefined])], order: by };
          const first = applyView(all, { ...view, page: 1 });
          const seen = Array.from({ length: first.totalPages }, (_, n) =>
            applyView(all, { ...view, page: n + 1 }),
          );
          const ids = seen.flatMap(({ data }) => data.map(({ id }) => id));
          const matching = all.filter((row) => row.score === score || row.score === undefined);
          expect(ids.toSorted((one, other) => one - other)).toEqual(matching.map(({ id }) => id));
          expect(first.totalCount).toBe(matching.length);
          for (const { data } of seen) expect(data.length).toBeLessThanOrEqual(pageSize);
          expect(applyView(all, { ...view, page: first.totalPages + 1 }).data).toEqual([]);
        },
      ),
    );
  });

  test('a view without a sort order keeps the given order, and a sorted view does not change the given array', () => {
    fc.assert(
      fc.property(rows, pages, (all, { page, pageSize }) => {
        const before = [...all];
        const { data } = applyView(all, { page, pageSize, conditions: [], order: [] });
        expect(data).toEqual(all.slice((page - 1) * pageSize, page * pageSize));
        applyView(all, { page, pageSize, conditions: [], order: [{ field: 'score', descending: true }] });
        expect(all).toEqual(before);
      }),
    );
  });

  test('a view sorts numbers, keeps the order of equal numbers, and puts missing values last in both directions', () => {
    fc.assert(
      fc.property(rows, fc.boolean(), (all, descending) => {
        const view = { page: 1, pageSize: 100, conditions: [] };
        const { data } = applyView(all, { ...view, order: [{ field: 'score', descending }] });
        const present = data.filter(({ score }) => score !== undefined);
        expect(data.slice(present.length).every(({ score }) => score === undefined)).toBe(true);
        for (const [index, row] of data.entries()) {
          const next = data[index + 1];
          if (next === undefined) continue;
          if (row.score === next.score) expect(row.id).toBeLessThan(next.id);
          else if (row.score !== undefined && next.score !== undefined)
            expect(row.score < next.score).toBe(!descending);
        }
      }),
    );
  });

  test('a view sorts text without regard to case and accents, and sorts numbers in the text by value', () => {
    const names = ['team 10', 'Team 9', 'Ärger', 'abend', 'Zebra', 'ähre'];
    const all = names.map((name, id): Row => ({ id, name }));
    const view = {
      page: 1,
      pageSize: 10,
      conditions: [],
      order: [{ field: 'name' as const, descending: false }],
    };
    expect(applyView(all, view).data.map(({ name }) => name)).toEqual([
      'abend',
      'ähre',
      'Ärger',
      'Team 9',
      'team 10',
      'Zebra',
    ]);
  });

  test('the number of pages is the number of records divided by the page size, rounded up', () => {
    expect([0, 1, 25, 26].map((total) => pageOf([], total, 1, 25).totalPages)).toEqual([0, 1, 1, 2]);
  });
});

test('a search finds words, phone numbers and values of the searchable fields only', () => {
  const row = { name: 'José', last: 'Núñez', tags: ['Navy Yard'], phone: '(415) 555-0134', secret: 'never' };
  const fields = ['gone', 'name', 'last', 'tags', 'phone'] as (keyof typeof row)[];
  const finds = (text: string) => mentions<typeof row>(fields, searchWordsOf(text))(row);
  for (const text of ['nunez jose', 'yard', '555-0134 núñ']) expect(finds(text)).toBe(true);
  for (const text of ['never', 'undefined', 'osé', 'jose yards']) expect(finds(text)).toBe(false);
});

test('a filter compares texts without case, accents and surrounding spaces, and other values exactly', () => {
  const row = { name: 'Navy Yárd', count: 1 };
  expect(isAnyOf<typeof row>('name', ['x', ' navy YARD '])(row)).toBe(true);
  expect(isAnyOf<typeof row>('name', ['navy'])(row)).toBe(false);
  expect(isAnyOf<typeof row>('count', ['1'])(row)).toBe(false);
});

describe('a list of more than 10,000 records', () => {
  const Item = object({ id: integer(), even: boolean(), note: optional(string()) });
  const records = Array.from({ length: 10_001 }, (_, n) => ({ id: 20_000 - n, even: n % 2 === 0 }));
  const asked: (number | undefined)[] = [];
  let held = records;
  beforeEach(() => {
    held = records;
  });
  const contract = {
    path: '/numbers',
    item: Item,
    fields: { id: ['sort' as const], even: ['filter' as const, 'sort' as const], note: ['search' as const] },
    timeField: 'id' as const,
    summary: 'List numbers',
  };
  const source: ListSource<Static<typeof Item>, Static<typeof Item>> = {
    newest: async ({ limit, oldestFirst }) => {
      asked.push(limit);
      return { items: (oldestFirst ? held.toReversed() : held).slice(0, limit) };
    },
    total: async () => held.length,
    show: async (page) => [...page],
  };
  const endpoint = listing({ ...contract, access: 'public' }, () => source);

  test('the default view of a large list reads only its page', async () => {
    for (const [query, id] of [
      [{}, 19_990],
      [{ sort: '-id' }, 19_990],
      [{ sort: 'id' }, 10_010],
      [{ search: '' }, 19_990],
    ] as const) {
      asked.length = 0;
      const { body, headers } = await call(endpoint, { query: { ...query, page: 2, pageSize: 10 } });
      expect(body).toMatchObject({ totalCount: 10_001, totalPages: 1001, currentPage: 2 });
      expect(body.data[0]?.id).toBe(id);
      expect(headers['x-list-window']).toBeUndefined();
      expect(asked).toEqual([20]);
    }
  });

  test('a large list is filtered, searched and sorted within its newest 10,000 records, and a header reports this limit', async () => {
    for (const [query, totalCount] of [
      [{ even: true }, 5000],
      [{ sort: 'even' }, 10_000],
      [{ search: 'x' }, 0],
    ] as const) {
      const { body, headers } = await call(endpoint, { query });
      expect(headers['x-list-window']).toBe('10000');
      expect(body).toMatchObject({ totalCount });
    }
  });

  test('a list of the caller’s own records, such as an inbox, has the header with the limit, too', async () => {
    const { admin } = await tenant();
    const terms = { ...contract, permission: 'readNotifications' as const, extraFields: {} };
    const own = listingForPrincipal(
      terms,
      () => source,
      () => ({}),
    );
    const filtered = await admin.call(own, { query: { even: true } as never });
    expect(filtered.headers['x-list-window']).toBe('10000');
  });

  test('a large list can be paged up to its 10,000th record', async () => {
    expect((await call(endpoint, { query: { page: 100, pageSize: 100 } })).status).toBe(200);
    for (const query of [
      { page: 101, pageSize: 100 },
      { page: 10_001, pageSize: 1, even: true },
    ])
      expect((await call(endpoint, { query })).body).toMatchObject({ status: 400, error: 'page_too_deep' });
  });

  test('a page after the last page is empty, but contains the totals', async () => {
    for (const [query, totalCount] of [
      [{ page: 102, pageSize: 100 }, 10_001],
      [{ page: 1000, pageSize: 100, sort: '-id' }, 10_001],
    ] as const) {
      const { body } = await call(endpoint, { query });
      expect(body).toEqual({ data: [], totalCount, totalPages: 101, currentPage: query.page });
    }
    held = records.slice(0, 3);
    for (const query of [{}, { even: true }, { sort: 'id' }]) {
      const totalCount = 'even' in query ? 2 : 3;
      const { body, headers } = await call(endpoint, { query: { ...query, page: 9_999_999 } });
      expect(body).toEqual({ data: [], totalCount, totalPages: 1, currentPage: 9_999_999 });
      expect(headers['x-list-window']).toBeUndefined();
    }
  });

  test('page is at least 1, and pageSize at most 100', async () => {
    for (const query of [
      { page: 0 },
      { page: -1 },
      { page: 1.5 },
      { page: 'x' },
      { pageSize: 0 },
      { pageSize: 101 },
    ])
      expect((await call(endpoint, { query })).body, JSON.stringify(query)).toMatchObject({
        status: 400,
        error: 'invalid_input',
      });
  });
});

describe('a list of large records', () => {
  const Item = object({ id: integer(), note: string({ maxLength: 100_000 }) });
  const records = Array.from({ length: 300 }, (_, n) => ({ id: 300 - n, note: 'n'.repeat(60_000) }));
  let readable: (bounds: Bounds) => QueryResult<{ id: number; note: string }>;
  const endpoint = listing(
    {
      path: '/large',
      access: 'public',
      item: Item,
      fields: { id: ['filter'], note: ['search'] },
      summary: 'List large records',
    },
    () => ({
      newest: async (bounds) => readable(bounds),
      total: async () => records.length,
      show: async (page) => page,
    }),
  );
  const all = ({ limit }: Bounds) => ({ items: records.slice(0, limit) });
  const firstHundred = ({ limit = 100 }: Bounds): QueryResult<(typeof records)[0]> =>
    limit > 100 ? { items: records.slice(0, 100), cut: 'bytes' } : { items: records.slice(0, limit) };
  const ids = ({ body }: CallResponse<{ data: { id: number }[] }>) => body.data.map(({ id }) => id);
  const advised = ({ body }: CallResponse<{ message: string }>) => {
    const [, pageSize, page] = /pageSize=(\d+), starting at page=(\d+)/.exec(body.message) ?? [];
    return { page: Number(page), pageSize: Number(pageSize) };
  };

  test('a page above 5 MB is rejected with 400, and the error suggests a page size and page', async () => {
    readable = all;
    for (const view of [{}, { search: 'n' }]) {
      const refused = await call(endpoint, { query: { ...view, page: 2, pageSize: 100 } });
      expect(refused.body).toMatchObject({ status: 400, error: 'page_too_large' });
      const { page, pageSize } = advised(refused);
      expect({ page, pageSize }).toEqual({ page: 3, pageSize: 50 });
      const parts = [0, 1].map((next) => call(endpoint, { query: { ...view, page: page + next, pageSize } }));
      expect((await Promise.all(parts)).flatMap(ids)).toEqual(records.slice(100, 200).map(({ id }) => id));
    }
    expect((await call(endpoint, { query: { pageSize: 80 } })).status).toBe(200);
  });

  test('a list of large records can be paged up to the read limit', async () => {
    readable = firstHundred;
    const refused = await call(endpoint, { query: { page: 2, pageSize: 60 } });
    expect(refused.body).toMatchObject({ status: 400, error: 'page_too_large' });
    expect(advised(refused)).toEqual({ page: 3, pageSize: 30 });
    expect(ids(await call(endpoint, { query: advised(refused) }))).toHaveLength(30);
    const deeper = await call(endpoint, { query: { page: 3, pageSize: 50 } });
    expect(deeper.body).toMatchObject({ status: 400, error: 'page_too_deep' });
    const afterLast = await call(endpoint, { query: { page: 7, pageSize: 50 } });
    expect(afterLast.body).toEqual({ data: [], totalCount: 300, totalPages: 6, currentPage: 7 });
  });

  test('in a list of large records, a search covers only the records up to the read limit, and a header reports their number', async () => {
    readable = firstHundred;
    const { body, headers } = await call(endpoint, { query: { search: 'n', pageSize: 10 } });
    expect([headers['x-list-window'], body.totalCount]).toEqual(['100', 100]);
    readable = all;
    expect(
      (await call(endpoint, { query: { search: 'n', pageSize: 10 } })).headers['x-list-window'],
    ).toBeUndefined();
  });

  test('if reading takes more than half of the request’s time, an unfiltered list returns 503, and a filtered list uses the records read so far', async () => {
    let bounds: Bounds = {};
    readable = (given) => {
      bounds = given;
      return { items: records.slice(0, 7), cut: 'time' };
    };
    const plain = await call(endpoint, { milliseconds: 21_000 });
    expect([plain.body.error, plain.headers['retry-after']]).toEqual(['busy', '1']);
    const left = (bounds.until ?? 0) - Date.now();
    expect(left).toBeGreaterThan(5_000);
    expect(left).toBeLessThanOrEqual(10_000);
    expect(bounds.bytes).toBe(8 * 1024 * 1024);
    const window = await call(endpoint, { query: { search: 'n' } });
    expect([window.status, window.headers['x-list-window']]).toEqual([200, '7']);
  });
});

test('long text is never cut within a character', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.integer({ min: 0, max: 20 }),
      (text, most) => {
        const cut = firstCharacters(text, most);
        expect([...cut]).toEqual([...text].slice(0, most));
        expect(cut).not.toMatch(/\p{Surrogate}/u);
      },
    ),
  );
});
