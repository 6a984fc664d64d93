import { advanceClock, type Creation, type Move, startClock } from './advance-clock.ts';
import { type Clock, type ClockEntry, settleClock } from './clock.ts';
import type { Policy } from './policy.ts';

export type Policies = ReadonlyMap<number, Policy>;

/**
 * Applies all entries of a ledger to a new clock. Then marks open targets that were due before `settledAt` as breached.
 * Throws for an invalid ledger.
 */
export function foldClock(
  [first, ...rest]: readonly ClockEntry[],
  policies: Policies,
  settledAt?: string,
): Clock {
  let { clock } = startClock(creationOf(first, policies));
  for (const entry of rest) clock = nextClock(clock, entry, policies);
  return settledAt === undefined ? clock : settleClock(clock, settledAt).clock;
}

/** Applies the next entry. Throws if the entry changes nothing or has the wrong number. */
export function nextClock(clock: Clock, entry: ClockEntry, policies: Policies): Clock {
  const move = moveOf(entry, policies);
  const { clock: next, entries } = advanceClock(clock, move, requirePolicy(policies, clock.policy));
  if (entries[0]?.n !== entry.n)
    throw new Error(`Ledger entry ${entry.n} does not follow from the previous entries.`);
  return next;
}

export function creationOf(entry: ClockEntry | undefined, policies: Policies): Creation {
  if (entry?.kind !== 'created') throw new Error('The first ledger entry is not "created".');
  const { at, priority = missingField(entry), policy = missingField(entry) } = entry;
  return { at, status: 'open', priority, policy: requirePolicy(policies, policy) };
}

export function requirePolicy(policies: Policies, number: number): Policy {
  const policy = policies.get(number);
  if (!policy) throw new Error(`Policy ${number} was not found.`);
  return policy;
}

function moveOf(entry: ClockEntry, policies: Policies): Move {
  const { at, kind } = entry;
  if (kind === 'status') return { at, status: entry.status ?? missingField(entry) };
  if (kind === 'response') return { at, response: true };
  if (kind === 'created') throw new Error(`Ledger entry ${entry.n} is a second "created".`);
  const policy = requirePolicy(policies, entry.policy ?? missingField(entry));
  if (kind === 'policy') return { at, policy };
  return { at, priority: entry.priority ?? missingField(entry), policy };
}

function missingField(entry: ClockEntry): never {
  throw new Error(`Ledger entry ${entry.n} lacks a field that its kind requires.`);
}
