import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gaps, lifetime, meaningOf, nextAttempt } from '../../shared/messaging/webhooks/retry-schedule.ts';

const [minute, hour] = [60_000, 3_600_000];
const now = new Date('2026-03-02T10:00:00.000Z');
const after = (milliseconds: number) => new Date(now.getTime() + milliseconds);

describe('the schedule of a delivery', () => {
  test('has the documented gaps', () => {
    const middle = gaps.map((_, index) => nextAttempt({ number: index + 1, createdAt: now }, now, 0.5));
    expect(middle).toEqual(
      [5_000, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour].map(
        after,
      ),
    );
  });

  test('all ten attempts are due within ±15% of the schedule, and within 96 hours', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 9, maxLength: 9 }),
        (chances) => {
          let at = now;
          for (const [index, chance] of chances.entries()) {
            const next = nextAttempt({ number: index + 1, createdAt: now }, at, chance);
            const gap = gaps[index] ?? 0;
            expect(next).toBeDefined();
            const waited = (next?.getTime() ?? 0) - at.getTime();
            expect(Math.abs(waited - gap)).toBeLessThanOrEqual(gap * 0.15 + 1);
            at = next ?? at;
          }
          expect(at.getTime() - now.getTime()).toBeLessThan(lifetime);
          expect(nextAttempt({ number: 10, createdAt: now }, at)).toBeUndefined();
        },
      ),
    );
  });

  test('has no attempt after 96 hours', () => {
    const createdAt = after(-95 * hour);
    expect(nextAttempt({ number: 3, createdAt }, now, 1)).toBeDefined();
    expect(nextAttempt({ number: 4, createdAt }, now, 0)).toBeUndefined();
  });
});

describe('a response', () => {
  test('with 2xx is a success, with 410 final, and otherwise a failure', () => {
    for (let status = 100; status < 600; status += 1) {
      const expected = status >= 200 && status < 300 ? 'delivered' : status === 410 ? 'gone' : 'failed';
      expect(meaningOf({ status }, now).is, String(status)).toBe(expected);
    }
    expect(meaningOf({}, now)).toEqual({ is: 'failed' });
  });

  test('that is incomplete is a failure, with any status', () => {
    for (const status of [200, 410, 503])
      expect(meaningOf({ status, error: 'timeout', retryAfter: '60' }, now)).toEqual({ is: 'failed' });
  });

  test.each([
    [429, '120', 2 * minute],
    [503, '120', 2 * minute],
    [500, ' 1 ', 1_000],
    [503, 'Mon, 02 Mar 2026 11:00:00 GMT', hour],
    [503, '999999999', 24 * hour],
    [429, 'Fri, 01 Jan 2100 00:00:00 GMT', 24 * hour],
    [429, '9'.repeat(400), 24 * hour],
  ])('of %d with Retry-After %s pauses the endpoint for at most a day', (status, retryAfter, pause) => {
    expect(meaningOf({ status, retryAfter }, now)).toEqual({ is: 'failed', pauseUntil: after(pause) });
  });

  test.each([
    [503, undefined],
    [503, '0'],
    [503, 'soon'],
    [503, ''],
    [503, 'Mon, 02 Mar 2026 09:00:00 GMT'],
    [404, '120'],
    [302, '120'],
  ])('of %d with Retry-After %s does not pause the endpoint', (status, retryAfter) => {
    const meaning = meaningOf({ status, retryAfter }, now);
    expect(meaning.is === 'failed' && meaning.pauseUntil).toBeUndefined();
  });
});
