import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { crockford } from '../../shared/id/crockford.ts';
import { asUniqueRecordId, readUniqueId, type UniquePrefix, uniqueIdOf } from '../../shared/id/unique-id.ts';

const prefixes: UniquePrefix[] = ['tkt', 'tty', 'rot'];
const prefix = fc.constantFrom(...prefixes);
const id = fc.oneof(
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  fc.integer({ min: 1, max: 2000 }),
  fc.integer({ min: 0, max: 2000 }).map((below) => Number.MAX_SAFE_INTEGER - below),
);

test('the uniqueId of any safe integer has a prefix and 11 lower-case digits, and is parsed to the same integer', () => {
  fc.assert(
    fc.property(prefix, id, (kind, number) => {
      const text = uniqueIdOf(kind, number);
      expect(text).toMatch(/^(tkt|tty|rot)_[0-9a-hjkmnp-tv-z]{11}$/);
      expect(readUniqueId(kind, text)).toBe(number);
    }),
    { numRuns: 2000 },
  );
});

test('a uniqueId is parsed in upper and lower case, with and without leading zeros', () => {
  fc.assert(
    fc.property(prefix, id, (kind, number) => {
      expect(readUniqueId(kind, uniqueIdOf(kind, number).toUpperCase())).toBe(number);
      expect(readUniqueId(kind, `${kind}_${crockford(number)}`)).toBe(number);
      expect(readUniqueId(kind, `${kind}_${crockford(number).toLowerCase()}`)).toBe(number);
    }),
  );
});

test('the sort order of uniqueIds is the order of their ids', () => {
  fc.assert(
    fc.property(id, id, (one, other) => {
      expect(uniqueIdOf('tkt', one) < uniqueIdOf('tkt', other)).toBe(one < other);
    }),
  );
});

test('a uniqueId with a wrong prefix is rejected', () => {
  fc.assert(
    fc.property(prefix, prefix, id, (kind, other, number) => {
      fc.pre(kind !== other);
      expect(readUniqueId(other, uniqueIdOf(kind, number))).toBeUndefined();
    }),
  );
  for (const text of [
    '',
    'tkt',
    'tkt_',
    '_1',
    '1',
    '123',
    'tkt1',
    'tkt-1',
    'tkt__1',
    'tkts_1',
    ' tkt_1',
    'tkt_1 ',
  ])
    expect(readUniqueId('tkt', text), text).toBeUndefined();
});

test('a uniqueId with a wrong digit is rejected', () => {
  for (const digit of [...'iluoILUO-_. \n\u00e9\u017f\u212a'])
    for (const text of [`tkt_${digit}`, `tkt_0000${digit}00001`, `tkt_1${digit}`, `tkt_${digit}1`])
      expect(readUniqueId('tkt', text), JSON.stringify(text)).toBeUndefined();
});

test('a uniqueId is rejected if its id is 0 or above 2^53 − 1, or if it has more than 11 digits', () => {
  expect(readUniqueId('tkt', uniqueIdOf('tkt', Number.MAX_SAFE_INTEGER))).toBe(2 ** 53 - 1);
  expect(uniqueIdOf('tkt', Number.MAX_SAFE_INTEGER)).toBe('tkt_7zzzzzzzzzz');
  for (const text of ['tkt_80000000000', 'tkt_zzzzzzzzzzz', 'tkt_000000000001', 'tkt_0', 'tkt_00000000000'])
    expect(readUniqueId('tkt', text), text).toBeUndefined();
});

test('any text is either rejected or parsed to a valid id', () => {
  fc.assert(
    fc.property(prefix, fc.string(), (kind, rest) => {
      const read = readUniqueId(kind, `${kind}_${rest}`);
      expect(read === undefined || (Number.isSafeInteger(read) && read > 0)).toBe(true);
    }),
  );
});

test('a record is referred to by its decimal id or its uniqueId', () => {
  fc.assert(
    fc.property(prefix, id, (kind, number) => {
      expect(asUniqueRecordId(kind, String(number))).toBe(number);
      expect(asUniqueRecordId(kind, uniqueIdOf(kind, number))).toBe(number);
    }),
  );
  for (const text of ['', '0', '-1', '1.5', '007', '9007199254740992', 'rot_1', 'tty', '١'])
    expect(asUniqueRecordId('tty', text), text).toBeUndefined();
});

/** Reloads the module to clear the last minted id, which the module keeps in memory. */
async function freshInstance() {
  vi.resetModules();
  return import('../../shared/id/mint.ts');
}

const first = Date.UTC(2025, 0, 1);
const last = first + 2 ** 41 - 1;
const instants = fc.array(fc.integer({ min: first, max: last }), { minLength: 1, maxLength: 200 });

describe('a minted id', () => {
  let mint: Awaited<ReturnType<typeof freshInstance>>;
  beforeEach(async () => {
    mint = await freshInstance();
  });

  test('minted ids are unique and increasing, even if the clock is set back', () => {
    fc.assert(
      fc.property(instants, (times) => {
        const ids = times.map((time) => mint.mintId(new Date(Math.min(time, last - 1))));
        for (const [index, id] of ids.entries()) expect(id).toBeGreaterThan(ids[index - 1] ?? 0);
      }),
      { numRuns: 20 },
    );
  });

  test('an id minted between 2025 and 2094 is a safe integer', async () => {
    for (const time of [first + 1, Date.UTC(2026, 2, 1), last]) {
      const { mintId } = await freshInstance();
      const id = mintId(new Date(time));
      expect(Number.isSafeInteger(id)).toBe(true);
      expect(id).toBeGreaterThan(0);
    }
    expect(new Date(last).getUTCFullYear()).toBe(2094);
  });

  test('a minted id contains its time if at most 4,096 ids are minted per millisecond', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: first, max: last }), async (time) => {
        const { mintId, mintedAt } = await freshInstance();
        expect(mintedAt(mintId(new Date(time))).getTime()).toBe(time);
      }),
      { numRuns: 20 },
    );
  });

  test('different instances rarely mint the same id in the same millisecond', async () => {
    const ids = new Set<number>();
    for (let n = 0; n < 50; n++) ids.add((await freshInstance()).mintId(new Date(Date.UTC(2026, 0, 1))));
    expect(ids.size).toBeGreaterThan(40);
  });

  test('minted ids stay unique if more than 4,096 are minted per millisecond', () => {
    const now = new Date(Date.UTC(2026, 0, 1));
    const ids = Array.from({ length: 10_000 }, () => mint.mintId(now));
    expect(new Set(ids).size).toBe(10_000);
  });
});
