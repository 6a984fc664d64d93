import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  emptyState,
  isHeld,
  longestDelay,
  nextDue,
  onTrigger,
  release,
  requestWork,
  type WorkQueueState,
} from '../../shared/work-queue/queue-state.ts';

const start = Date.UTC(2026, 4, 1);
const at = (seconds: number) => new Date(start + seconds * 1000);

/** Operations on a work queue, each after a number of seconds. */
const step = fc.record({
  passes: fc.constantFrom(0, 1, 30, 61, 1000),
  what: fc.constantFrom('request', 'trigger', 'release', 'pause'),
  ahead: fc.constantFrom(undefined, 0, 5, 600, 7200),
});

test('after any operations, due work is swept within a minute, and a trigger message is in flight if it is due soon', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let [state, seconds]: [WorkQueueState, number] = [emptyState, 0];
      for (const { passes, what, ahead } of steps) {
        seconds += passes;
        const now = at(seconds);
        const open = state.due;
        let triggerIn: number | undefined;
        if (what === 'request') ({ state, triggerIn } = requestWork(state, at(seconds + (ahead ?? 0)), now));
        else if (what === 'trigger') {
          const next = onTrigger(state, now);
          if (next === 'rest') continue;
          state = 'take' in next ? next.take : next.write.state;
          if ('take' in next) expect(next.take.wanted).toBeUndefined();
        } else if (state.lease && isHeld(state, now)) {
          const left = {
            failures: 0,
            ...(ahead !== undefined && { due: at(seconds + ahead).toISOString() }),
          };
          const pausedUntil = what === 'pause' ? { pausedUntil: at(seconds + 600) } : {};
          ({ state, triggerIn } = release(state, { ...left, ...pausedUntil }, now));
          expect([state.lease, state.wanted]).toEqual([undefined, undefined]);
        }
        // Only the holder of the lease may clear the due time.
        if (what === 'request' || what === 'trigger')
          expect(state.due === undefined).toBe(open === undefined && what === 'trigger');
        const due = nextDue(state);
        expect(state.sweepAt === undefined).toBe(due === undefined);
        if (due === undefined) continue;
        const from = Math.max(Date.parse(due), now.getTime());
        expect(Date.parse(state.sweepAt ?? '')).toBeLessThanOrEqual(from + 60_000);
        if (triggerIn === undefined) continue;
        expect(triggerIn).toBeLessThanOrEqual(longestDelay);
        expect(now.getTime() + triggerIn).toBeGreaterThanOrEqual(from);
      }
    }),
    { numRuns: 500 },
  );
});

test('a trigger message that arrives a second early is sent again for the due time', () => {
  const { state } = requestWork(emptyState, at(60), at(0));
  const next = onTrigger(state, at(59));
  if (next === 'rest' || !('take' in next)) throw new Error('It is as good as due.');
  expect(release(next.take, { due: at(60).toISOString(), failures: 0 }, at(59)).triggerIn).toBe(1000);
});

test('a request while the lease is held marks the state once, and sends no trigger message', () => {
  const next = onTrigger(requestWork(emptyState, at(0), at(0)).state, at(0));
  if (next === 'rest' || !('take' in next)) throw new Error('It is due.');
  const first = requestWork(next.take, at(1), at(1));
  expect(first).toEqual({ state: { ...next.take, wanted: true } });
  expect(requestWork(first.state, at(2), at(2)).state).toBe(first.state);
  expect(onTrigger(first.state, at(2))).toBe('rest');
  expect(onTrigger(next.take, at(2))).toEqual({ write: { state: first.state } });
});
