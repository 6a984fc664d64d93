import { startClock } from './advance-clock.ts';
import { businessTime } from './business-time.ts';
import { type Clock, type ClockEntry, laterOf, type Phase, phaseOf } from './clock.ts';
import { creationOf, nextClock, type Policies, requirePolicy } from './fold-clock.ts';
import { openIntervals } from './open-intervals.ts';
import type { SlaFigure, SlaInterval } from './schema.ts';

/** In milliseconds. A longer time between two entries is listed as one interval, to limit the size of the list. */
const maxListed = 62 * 24 * 60 * 60_000;

/**
 * Returns the intervals of a ledger from creation to the resolution, or to `until` if the ticket is not resolved.
 * `used` and `paused` include the current phase. Their sum is the business time in all intervals.
 */
export function intervalsOf(entries: readonly ClockEntry[], policies: Policies, until: string) {
  const intervals: SlaInterval[] = [];
  /**
   * The number of intervals before the current phase, and the number of intervals before the first response.
   */
  let [phaseStart, responded] = [0, 0];
  let clock: Clock | undefined;
  for (const [index, entry] of entries.entries()) {
    const before = clock;
    clock = before ? nextClock(before, entry, policies) : startClock(creationOf(entry, policies)).clock;
    if (!before || phaseOf(before.status) !== phaseOf(clock.status)) phaseStart = intervals.length;
    if (clock.firstResponseTime === undefined || before?.firstResponseTime === undefined)
      responded = intervals.length;
    const to = entries[index + 1]?.at ?? laterOf(until, clock.at);
    intervals.push(...intervalsBetween(clock, to, policies));
  }
  const phase: Phase = clock ? phaseOf(clock.status) : 'finished';
  if (phase === 'finished') intervals.length = phaseStart;
  const sumOf = (kind: SlaInterval['kind'], before = intervals.length): SlaFigure => {
    const summed = [...intervals.keys()].filter((n) => n < before && intervals[n]?.kind === kind);
    const milliseconds = summed.reduce((sum, n) => sum + (intervals[n]?.milliseconds ?? 0), 0);
    return { milliseconds, minutes: Math.floor(milliseconds / 60_000), intervals: summed };
  };
  return {
    intervals,
    figures: {
      used: sumOf('running'),
      paused: sumOf('paused'),
      slaTotalPausedTime: sumOf('paused', phase === 'paused' ? phaseStart : intervals.length),
      ...(clock?.firstResponseTime !== undefined && { firstResponseTime: sumOf('running', responded) }),
      ...(clock?.resolutionTime !== undefined && { resolutionTime: sumOf('running') }),
    },
  };
}

function intervalsBetween(clock: Clock, to: string, policies: Policies): SlaInterval[] {
  const policy = requirePolicy(policies, clock.policy);
  const kind = phaseOf(clock.status) === 'running' ? 'running' : 'paused';
  const [start, end] = [Date.parse(clock.countedTo), Date.parse(to)];
  if (start >= end) return [];
  if (end - start > maxListed) return [interval(kind, start, end, businessTime(start, end, policy))];
  const intervals: SlaInterval[] = [];
  let at = start;
  for (const open of openIntervals(start, end, policy)) {
    if (open.from > at) intervals.push(interval('closed', at, open.from, 0));
    intervals.push(interval(kind, open.from, open.to, open.to - open.from));
    at = open.to;
  }
  if (at < end) intervals.push(interval('closed', at, end, 0));
  return intervals;
}

const interval = (kind: SlaInterval['kind'], from: number, to: number, milliseconds: number) => ({
  kind,
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
  milliseconds,
});
