import { afterBusinessTime, businessTime } from './business-time.ts';
import {
  type Breach,
  type Clock,
  type ClockEntry,
  type ClockUpdate,
  fieldsOf,
  laterOf,
  openTargets,
  phaseOf,
  settleClock,
} from './clock.ts';
import type { Policy } from './policy.ts';
import type { Priority, TicketStatus } from './schema.ts';

/**
 * A change that is applied to a clock. A change of the priority also applies the account's current policy. A move with
 * only a policy applies this policy.
 */
export type Move = { at: string } & (
  | { status: TicketStatus }
  | { priority: Priority; policy: Policy }
  | { response: true }
  | { priority?: undefined; policy: Policy }
);

export interface Creation {
  at: string;
  status: TicketStatus;
  priority: Priority;
  policy: Policy;
}

/** Starts the clock of a new ticket with status `open`, then changes it to the ticket's status at the same instant. */
export function startClock({ at, status, priority, policy }: Creation): ClockUpdate {
  const clock: Clock = {
    policy: policy.number,
    createdAt: at,
    at,
    countedTo: at,
    status: 'open',
    priority,
    entries: 1,
    used: 0,
    paused: 0,
    standing: 0,
    reopens: 0,
    firstResponseDue: at,
    firstResponseRiskAt: at,
    resolutionDue: at,
    resolutionRiskAt: at,
  };
  recomputeTargets(clock, policy);
  const created: ClockEntry = { n: 1, at, kind: 'created', status: 'open', priority, policy: policy.number };
  const moved = advanceClock(clock, { at, status }, policy);
  return { ...moved, entries: [created, ...moved.entries] };
}

/**
 * Marks overdue targets as breached, then applies a move: another status or priority, or a response. A move before
 * `clock.at` is applied at `clock.at`. `policy` is the clock's policy before the move. A move that changes nothing adds
 * no entry.
 */
export function advanceClock(clock: Clock, move: Move, policy: Policy): ClockUpdate {
  if (policy.number !== clock.policy)
    throw new Error(`The clock has policy ${clock.policy}, not policy ${policy.number}.`);
  const at = laterOf(move.at, clock.at);
  const settled = settleClock(clock, at);
  if (changesNothing(settled.clock, move)) return settled;
  const next = countTo(settled.clock, at, policy);
  next.entries += 1;
  const entry = { n: next.entries, at };
  if ('status' in move) {
    const breaches = moveTo(next, move.status, policy);
    return advanced(settled, next, { ...entry, kind: 'status', status: move.status }, breaches);
  }
  if ('policy' in move) {
    const { priority } = move;
    if (priority !== undefined) next.priority = priority;
    next.policy = move.policy.number;
    const kind = priority === undefined ? 'policy' : 'priority';
    const breaches = recomputeTargets(next, move.policy);
    return advanced(settled, next, { ...entry, kind, priority, policy: next.policy }, breaches);
  }
  next.firstResponseTime = next.used;
  return advanced(settled, next, { ...entry, kind: 'response' }, []);
}

const advanced = (
  settled: ClockUpdate,
  clock: Clock,
  entry: ClockEntry,
  breaches: Breach[],
): ClockUpdate => ({ clock, entries: [entry], breaches: [...settled.breaches, ...breaches] });

/** Reports whether a move changes nothing. Every response after the first changes nothing. */
function changesNothing(clock: Clock, move: Move): boolean {
  if ('status' in move) return move.status === clock.status;
  if ('policy' in move)
    return move.priority === undefined
      ? move.policy.number === clock.policy
      : move.priority === clock.priority;
  return clock.firstResponseTime !== undefined;
}

function countTo(clock: Clock, at: string, policy: Policy): Clock {
  const passed = businessTime(Date.parse(clock.countedTo), Date.parse(at), policy);
  const to = phaseOf(clock.status) === 'running' ? 'used' : 'standing';
  return { ...clock, at, countedTo: at, [to]: clock[to] + passed };
}

/** Changes the status of the copy that `countTo` returned. Returns the targets that the change breaches. */
function moveTo(clock: Clock, status: TicketStatus, policy: Policy): Breach[] {
  const [from, to] = [phaseOf(clock.status), phaseOf(status)];
  const now = clock.at;
  clock.status = status;
  if (from !== to) {
    clock.paused += clock.standing;
    clock.standing = 0;
    delete clock.pausedAt;
    if (from === 'finished') {
      clock.reopens += 1;
      delete clock.resolvedAt;
      delete clock.resolutionTime;
    }
    if (to === 'paused') clock.pausedAt = now;
    if (to === 'finished') {
      clock.resolvedAt = now;
      clock.firstResponseTime ??= clock.used;
      clock.resolutionTime = clock.used;
    }
  }
  delete clock.closedAt;
  if (status === 'closed') clock.closedAt = now;
  return from !== to && to === 'running' ? recomputeTargets(clock, policy) : [];
}

/**
 * Recomputes the due times of open targets. If the time used so far exceeds a target, the target is breached
 * at `clock.at`.
 */
function recomputeTargets(clock: Clock, policy: Policy): Breach[] {
  const now = clock.at;
  const breaches: Breach[] = [];
  const after = (milliseconds: number): string =>
    new Date(afterBusinessTime(Date.parse(now), milliseconds, policy)).toISOString();
  for (const target of openTargets(clock)) {
    const { due, riskAt, breachedAt } = fieldsOf[target];
    const minutes = policy.targets[clock.priority][target];
    const left = minutes * 60_000 - clock.used;
    clock[due] = after(left);
    clock[riskAt] = after(minutes * 48_000 - clock.used);
    if (left >= 0) continue;
    clock[breachedAt] = now;
    breaches.push({ target, at: now });
  }
  return breaches;
}
