import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';

/** Reloads the module, because an instance remembers its last id. */
let mint: typeof import('../../shared/id/mint.ts');
beforeEach(async () => {
  mint = await freshInstance();
});
async function freshInstance() {
  vi.resetModules();
  return import('../../shared/id/mint.ts');
}

const first = Date.UTC(2025, 0, 1);
const last = first + 2 ** 41 - 1;
const instants = fc.array(fc.integer({ min: first, max: last }), { minLength: 1, maxLength: 200 });

describe('a minted id', () => {
  test('minted ids are unique and increasing, even if the clock goes back', () => {
    fc.assert(
      fc.property(instants, (times) => {
        const ids = times.map((time) => mint.mintId(new Date(Math.min(time, last - 1))));
        for (const [index, id] of ids.entries()) expect(id).toBeGreaterThan(ids[index - 1] ?? 0);
      }),
      { numRuns: 20 },
    );
  });

  test('a minted id is a safe integer from 2025 to 2094', async () => {
    for (const time of [first + 1, Date.UTC(2026, 2, 1), last]) {
      const { mintId } = await freshInstance();
      const id = mintId(new Date(time));
      expect(Number.isSafeInteger(id)).toBe(true);
      expect(id).toBeGreaterThan(0);
    }
    expect(new Date(last).getUTCFullYear()).toBe(2094);
  });

  test('a minted id contains its time, up to 4,096 ids per millisecond', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: first, max: last }), async (time) => {
        const { mintId, mintedAt } = await freshInstance();
        expect(mintedAt(mintId(new Date(time))).getTime()).toBe(time);
      }),
      { numRuns: 20 },
    );
  });

  test('instances rarely mint the same id in one millisecond', async () => {
    const ids = new Set<number>();
    for (let n = 0; n < 50; n++) ids.add((await freshInstance()).mintId(new Date(Date.UTC(2026, 0, 1))));
    expect(ids.size).toBeGreaterThan(40);
  });

  test('minted ids stay unique above 4,096 per millisecond', () => {
    const now = new Date(Date.UTC(2026, 0, 1));
    const ids = Array.from({ length: 10_000 }, () => mint.mintId(now));
    expect(new Set(ids).size).toBe(10_000);
  });
});
