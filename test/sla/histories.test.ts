import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { businessTime } from '../../shared/sla/business-time.ts';
import { type Clock, fieldsOf, nextBreach, phaseOf, settleClock } from '../../shared/sla/clock.ts';
import { intervalsOf } from '../../shared/sla/explain-clock.ts';
import { figuresOf } from '../../shared/sla/figures.ts';
import { foldClock } from '../../shared/sla/fold-clock.ts';
import { targets } from '../../shared/sla/policy.ts';
import { type History, histories, live, withoutSettling } from './histories.ts';

/** Disables shrinking, which would take minutes. A failure immediately reports its seed and history. */
const options = { numRuns: 300, endOnFailure: true };
const always = (promise: (history: History) => void) => fc.assert(fc.property(histories, promise), options);
const termsOf = ({ policy, priority }: Clock) => `${policy} ${priority}`;
const later = fc.integer({ min: 0, max: 30 * 24 * 60 * 60_000 });
const shift = (at: string, by: number) => new Date(Date.parse(at) + by);

/** Returns the business time of a ledger up to an instant. Each part is measured under its own policy. */
function businessTimeOf({ entries, policies }: ReturnType<typeof live>, until: string): number {
  let sum = 0;
  let policy = policies.get(1);
  for (const [n, entry] of entries.entries()) {
    policy = entry.policy ? policies.get(entry.policy) : policy;
    const [from, to] = [entry.at, entries[n + 1]?.at ?? until].map((at) => (at < until ? at : until));
    if (policy && from && to) sum += businessTime(Date.parse(from), Date.parse(to), policy);
  }
  return sum;
}
const moments = fc.tuple(histories, later);

describe('for every history of a ticket', () => {
  test('the clock can be computed from the ledger', () => {
    always((history) => {
      const { clock, entries, policies } = live(history);
      expect(foldClock(entries, policies, clock.at)).toEqual(clock);
      expect(entries.map(({ n }) => n)).toEqual(entries.map((_, index) => index + 1));
      expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted());
      expect(clock.entries).toBe(entries.length);
    });
  });

  test('the clock can be computed from the ledger even if the clocks of instances differ', () => {
    always((history) => {
      const events = history.events.map(({ wait, act }, n) => ({
        act,
        wait: n % 3 === 2 ? -Math.floor(wait / 2) : wait,
      }));
      const { clock, entries, policies, steps } = live({ ...history, events });
      expect(foldClock(entries, policies, clock.at)).toEqual(clock);
      expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted());
      for (const { before, after } of steps) expect(after.at >= before.at).toBe(true);
    });
  });

  test('additional sweeps and reads change no figure', () => {
    fc.assert(
      fc.property(moments, ([history, after]) => {
        const swept = live(history);
        const unswept = live(withoutSettling(history));
        const now = shift(swept.now, after);
        expect(figuresOf(swept.clock, now)).toEqual(figuresOf(unswept.clock, now));
        expect(figuresOf(settleClock(swept.clock, now.toISOString()).clock, now)).toEqual(
          figuresOf(swept.clock, now),
        );
        expect(swept.entries).toEqual(unswept.entries);
      }),
      options,
    );
  });

  test('used time plus paused time is the business time from creation to resolution', () => {
    always((history) => {
      const lived = live(history);
      const { clock } = lived;
      const until = clock.resolvedAt ?? clock.countedTo;
      const standing = phaseOf(clock.status) === 'paused' ? clock.standing : 0;
      expect(clock.used + clock.paused + standing).toBe(businessTimeOf(lived, until));
    });
  });

  test('each target is breached at most once, and a breach is permanent', () => {
    always((history) => {
      const { clock, start, steps, now } = live(history);
      const announced = steps.flatMap(({ breaches }) => breaches);
      expect(new Set(announced.map(({ target }) => target)).size).toBe(announced.length);
      for (const { target, at } of announced) expect(clock[fieldsOf[target].breachedAt]).toBe(at);
      let before = figuresOf(start, new Date(start.createdAt));
      for (const { after, at, breaches } of steps) {
        const figures = figuresOf(after, new Date(at));
        expect(figures.escalationCount).toBeGreaterThanOrEqual(before.escalationCount);
        if (before.slaStatus === 'breached') expect(figures.slaStatus).toBe('breached');
        if (before.slaBreachedAt) expect(figures.slaBreachedAt).toBe(before.slaBreachedAt);
        for (const breach of breaches) expect(breach.at <= at).toBe(true);
        before = figures;
      }
      const pending = settleClock(clock, now).breaches.length;
      expect(figuresOf(clock, new Date(now)).escalationCount).toBe(announced.length + pending);
    });
  });

  test('a breach is dated at the due time shown before, or at the change that emits it if the priority or the policy has changed', () => {
    always((history) => {
      let repriced = false;
      for (const { act, at, before, after, breaches } of live(history).steps) {
        repriced ||= termsOf(before) !== termsOf(after);
        for (const breach of breaches) {
          const shown = before[fieldsOf[breach.target].due];
          if (breach.at !== shown) expect([breach.at, repriced]).toEqual([at, true]);
          if ('settle' in act) expect(breach.at).toBe(shown);
        }
      }
    });
  });

  test('a pause never makes a target due earlier', () => {
    always((history) => {
      const { start, steps } = live(history);
      let computedFor = termsOf(start);
      for (const { act, before, after } of steps) {
        // A change of the priority of a resolved ticket takes effect when the ticket's clock runs again.
        const repriced = computedFor !== termsOf(after);
        const phase = phaseOf(after.status);
        if (phase === 'running' || (phase === 'paused' && termsOf(before) !== termsOf(after)))
          computedFor = termsOf(after);
        if (repriced || !('status' in act)) continue;
        for (const target of targets) {
          const { due } = fieldsOf[target];
          expect(after[due] >= before[due]).toBe(true);
        }
      }
    });
  });

  test('a pause never changes a target from met to missed', () => {
    always((history) => {
      let repriced = false;
      for (const { at, before, after, breaches } of live(history).steps) {
        const [was, is] = [before, after].map((clock) => figuresOf(clock, new Date(at)));
        if (was?.slaFirstResponseMet) expect(is?.slaFirstResponseMet).toBe(true);
        if (was?.slaResolutionMet && after.reopens === before.reopens)
          expect(is?.slaResolutionMet).toBe(true);
        repriced ||= termsOf(before) !== termsOf(after);
        if (phaseOf(before.status) === 'running') continue;
        expect(breaches.filter((breach) => breach.at < at || !repriced)).toEqual([]);
      }
    });
  });

  test('while the clock is stopped, no target is due and no figure changes', () => {
    fc.assert(
      fc.property(moments, ([history, after]) => {
        const { clock, now } = live(history);
        const running = phaseOf(clock.status) === 'running';
        if (!running) {
          expect(nextBreach(clock)).toBeUndefined();
          expect(figuresOf(clock, shift(now, after))).toEqual(figuresOf(clock, new Date(now)));
        } else if (nextBreach(clock) === undefined)
          for (const target of targets)
            expect(clock[fieldsOf[target].breachedAt] ?? clock[fieldsOf[target].time]).toBeDefined();
      }),
      options,
    );
  });

  test('the counters match the history', () => {
    always((history) => {
      const { clock, entries, steps, now } = live(history);
      let [reopened, responded] = [0, false];
      let status = 'open';
      const finished = (one: string) => one === 'resolved' || one === 'closed';
      for (const entry of entries) {
        if (entry.kind === 'response') responded = true;
        if (entry.kind !== 'status' || !entry.status) continue;
        if (finished(status) && !finished(entry.status)) reopened += 1;
        if (finished(entry.status)) responded = true;
        status = entry.status;
      }
      const figures = figuresOf(clock, new Date(now));
      expect(clock.status).toBe(status);
      expect(figures.reopenCount).toBe(reopened);
      expect(figures.firstResponseTime !== undefined).toBe(responded);
      expect(figures.resolutionTime !== undefined).toBe(finished(status));
      expect(figures.resolvedAt !== undefined).toBe(finished(status));
      expect(figures.closedAt !== undefined).toBe(status === 'closed');
      expect(figures.slaPausedAt !== undefined).toBe(status === 'waiting_customer');
      const settled = settleClock(clock, now).breaches;
      expect(figures.escalationCount).toBe(steps.flatMap(({ breaches }) => breaches).length + settled.length);
    });
  });

  test('without changes of the priority or the policy, a target is met if the used time is below the target time, and missed if it is above', () => {
    always((history) => {
      const events = history.events.filter(({ act }) => !('priority' in act || 'recompute' in act));
      const { clock, policies, now } = live({ ...history, events });
      const figures = figuresOf(clock, new Date(now));
      for (const [target, met] of [
        ['firstResponse', figures.slaFirstResponseMet],
        ['resolution', figures.slaResolutionMet],
      ] as const) {
        const used = clock[fieldsOf[target].time];
        const most = (policies.get(1)?.targets[clock.priority][target] ?? 0) * 60_000;
        // If the used time equals the target time, the target can still be missed: a response after closing
        // time is late, but the time after closing is not counted.
        if (used !== undefined && used < most) expect(met).toBe(true);
        if (used !== undefined && used > most) expect(met).toBe(false);
      }
    });
  });

  test('every figure is the sum of its intervals, and the intervals have no gaps', () => {
    fc.assert(
      fc.property(moments, ([history, after]) => {
        const lived = live(history);
        const { clock, entries, policies } = lived;
        const until = clock.resolvedAt ?? shift(lived.now, after).toISOString();
        const { intervals, figures } = intervalsOf(entries, policies, until);
        for (const figure of Object.values(figures)) {
          const sum = figure.intervals.reduce((total, n) => total + (intervals[n]?.milliseconds ?? 0), 0);
          expect(figure.milliseconds).toBe(sum);
        }
        const edges = intervals.flatMap(({ from, to }) => [from, to]);
        const gapless = edges.filter((edge, n) => edge !== edges[n % 2 === 0 ? n - 1 : n + 1]);
        expect(gapless).toEqual(until > clock.createdAt ? [clock.createdAt, until] : []);
        const total = (figures.used?.milliseconds ?? 0) + (figures.paused?.milliseconds ?? 0);
        expect(total).toBe(businessTimeOf(lived, until));
        const shown = figuresOf(clock, new Date(until));
        expect(figures.firstResponseTime?.minutes).toBe(shown.firstResponseTime);
        expect(figures.resolutionTime?.minutes).toBe(shown.resolutionTime);
        expect(figures.slaTotalPausedTime?.minutes).toBe(shown.slaTotalPausedTime);
        expect(figures.slaTotalPausedTime?.milliseconds).toBe(clock.paused);
        expect(figures.firstResponseTime?.milliseconds).toBe(clock.firstResponseTime);
        expect(figures.resolutionTime?.milliseconds).toBe(clock.resolutionTime);
      }),
      options,
    );
  });

  test('the clock is smaller than a kilobyte', () => {
    always((history) => {
      expect(Buffer.byteLength(JSON.stringify(live(history).clock))).toBeLessThan(1024);
    });
  });
});
