import { advanceClock, type Creation, type Move, startClock } from './advance-clock.ts';
import { type Clock, type ClockEntry, settleClock } from './clock.ts';
import type { Policy } from './policy.ts';

/** Policies by their numbers. */
export type Policies = ReadonlyMap<number, Policy>;

/**
 * The clock that a ledger makes, entry by entry, settled at `settledAt`: folded up to the stored clock's own `at`, it is
 * the stored clock. Throws for a ledger that does not begin with a creation, or lacks what an entry of its kind has.
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

/** The clock after its next entry. Throws for one that changes nothing, or is not the next. */
export function nextClock(clock: Clock, entry: ClockEntry, policies: Policies): Clock {
  const { clock: next, entries } = advanceClock(
    clock,
    moveOf(entry, policies),
    policyOf(policies, clock.policy),
  );
  if (entries[0]?.n !== entry.n)
    throw new Error(`Entry ${entry.n} of a ledger does not follow from the others.`);
  return next;
}

/** What the first entry made. */
export function creationOf(entry: ClockEntry | undefined, policies: Policies): Creation {
  if (entry?.kind !== 'created') throw new Error('A ledger begins with a creation.');
  const { at, priority = missingField(entry), policy = missingField(entry) } = entry;
  return { at, status: 'open', priority, policy: policyOf(policies, policy) };
}

export function policyOf(policies: Policies, number: number): Policy {
  const policy = policies.get(number);
  if (!policy) throw new Error(`There is no policy ${number}.`);
  return policy;
}

/** What an entry after the first did. */
function moveOf(entry: ClockEntry, policies: Policies): Move {
  const { at, kind } = entry;
  if (kind === 'status') return { at, status: entry.status ?? missingField(entry) };
  if (kind === 'response') return { at, response: true };
  if (kind === 'created') throw new Error(`Entry ${entry.n} of a ledger is another creation.`);
  const policy = policyOf(policies, entry.policy ?? missingField(entry));
  return { at, priority: entry.priority ?? missingField(entry), policy };
}

function missingField(entry: ClockEntry): never {
  throw new Error(`Entry ${entry.n} of a ledger lacks a field of its kind.`);
}
