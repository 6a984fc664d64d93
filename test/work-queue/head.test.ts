import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  called,
  dueOf,
  freshHead,
  type Head,
  isHeld,
  letGo,
  longestDelay,
  woken,
} from '../../shared/work-queue/head.ts';

const start = Date.UTC(2026, 4, 1);
const at = (seconds: number) => new Date(start + seconds * 1000);

/** What may happen to a backlog, with the seconds that pass before. */
const step = fc.record({
  passes: fc.constantFrom(0, 1, 30, 61, 1000),
  what: fc.constantFrom('call', 'wake', 'let go', 'pause'),
  ahead: fc.constantFrom(undefined, 0, 5, 600, 7200),
});

test('whatever happens to a backlog, what is due is in the index within a minute of it, and a wake-up is on its way if it is soon', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let [head, seconds]: [Head, number] = [freshHead, 0];
      for (const { passes, what, ahead } of steps) {
        seconds += passes;
        const now = at(seconds);
        const open = head.due;
        let wakeIn: number | undefined;
        if (what === 'call') ({ head, wakeIn } = called(head, at(seconds + (ahead ?? 0)), now));
        else if (what === 'wake') {
          const next = woken(head, now);
          if (next === 'rest') continue;
          head = 'take' in next ? next.take : next.write.head;
          if ('take' in next) expect(next.take.wanted).toBeUndefined();
        } else if (head.lease && isHeld(head, now)) {
          const left = {
            failures: 0,
            ...(ahead !== undefined && { due: at(seconds + ahead).toISOString() }),
          };
          const pausedUntil = what === 'pause' ? { pausedUntil: at(seconds + 600) } : {};
          ({ head, wakeIn } = letGo(head, { ...left, ...pausedUntil }, now));
          expect([head.lease, head.wanted]).toEqual([undefined, undefined]);
        }
        // Nothing but who holds the lease says that nothing is open any more.
        if (what === 'call' || what === 'wake')
          expect(head.due === undefined).toBe(open === undefined && what === 'wake');
        const due = dueOf(head);
        expect(head.sweepAt === undefined).toBe(due === undefined);
        if (due === undefined) continue;
        const from = Math.max(Date.parse(due), now.getTime());
        expect(Date.parse(head.sweepAt ?? '')).toBeLessThanOrEqual(from + 60_000);
        if (wakeIn === undefined) continue;
        expect(wakeIn).toBeLessThanOrEqual(longestDelay);
        expect(now.getTime() + wakeIn).toBeGreaterThanOrEqual(from);
      }
    }),
    { numRuns: 500 },
  );
});

test('a wake-up that comes a second early is sent once more for when it is due', () => {
  const { head } = called(freshHead, at(60), at(0));
  const next = woken(head, at(59));
  if (next === 'rest' || !('take' in next)) throw new Error('It is as good as due.');
  expect(letGo(next.take, { due: at(60).toISOString(), failures: 0 }, at(59)).wakeIn).toBe(1000);
});

test('who calls while the lease is held marks it once, and sends no wake-up', () => {
  const next = woken(called(freshHead, at(0), at(0)).head, at(0));
  if (next === 'rest' || !('take' in next)) throw new Error('It is due.');
  const first = called(next.take, at(1), at(1));
  expect(first).toEqual({ head: { ...next.take, wanted: true } });
  expect(called(first.head, at(2), at(2)).head).toBe(first.head);
  expect(woken(first.head, at(2))).toBe('rest');
  expect(woken(next.take, at(2))).toEqual({ write: { head: first.head } });
});
