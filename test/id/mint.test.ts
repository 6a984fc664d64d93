import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';

/** Each run mints from nothing: an instance remembers the last id it gave. */
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
  test('a minted id is unique and larger than the one before, whatever the clock does', () => {
    fc.assert(
      fc.property(instants, (times) => {
        const ids = times.map((time) => mint.mintId(new Date(Math.min(time, last - 1))));
        for (const [index, id] of ids.entries()) expect(id).toBeGreaterThan(ids[index - 1] ?? 0);
      }),
      { numRuns: 20 },
    );
  });

  test('a minted id is a safe integer from 2025 until 2094', async () => {
    for (const time of [first + 1, Date.UTC(2026, 2, 1), last]) {
      const { mintId } = await freshInstance();
      const id = mintId(new Date(time));
      expect(Number.isSafeInteger(id)).toBe(true);
      expect(id).toBeGreaterThan(0);
    }
    expect(new Date(last).getUTCFullYear()).toBe(2094);
  });

  test('a minted id tells when it was minted, as long as fewer than 4,096 a millisecond are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: first, max: last }), async (time) => {
        const { mintId, mintedAt } = await freshInstance();
        expect(mintedAt(mintId(new Date(time))).getTime()).toBe(time);
      }),
      { numRuns: 20 },
    );
  });

  test('a minted id of one millisecond differs between instances, nearly always', async () => {
    const ids = new Set<number>();
    for (let n = 0; n < 50; n++) ids.add((await freshInstance()).mintId(new Date(Date.UTC(2026, 0, 1))));
    expect(ids.size).toBeGreaterThan(40);
  });

  test('a minted id stays unique where a millisecond has more than 4,096 of them', () => {
    const now = new Date(Date.UTC(2026, 0, 1));
    const ids = Array.from({ length: 10_000 }, () => mint.mintId(now));
    expect(new Set(ids).size).toBe(10_000);
  });
});
