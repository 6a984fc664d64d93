import fc from 'fast-check';
import { advanceClock, startClock } from '../../shared/sla/advance-clock.ts';
import { type Breach, type Clock, type ClockEntry, settleClock } from '../../shared/sla/clock.ts';
import { type Policy, targetsWith } from '../../shared/sla/policy.ts';
import { type Priority, priorities, type TicketStatus, ticketStatuses } from '../../shared/sla/schema.ts';

const minute = 60_000;
const hour = 60 * minute;
const nineToFive = [{ from: '09:00', to: '17:00' }];
export const weekdayHours = {
  monday: nineToFive,
  tuesday: nineToFive,
  wednesday: nineToFive,
  thursday: nineToFive,
  friday: nineToFive,
};
const splitDays = {
  ...weekdayHours,
  sunday: [{ from: '00:00', to: '02:30' }, ...nineToFive],
  holidays: ['2026-03-30'],
};

type Terms = Omit<Policy, 'number'>;
const terms: fc.Arbitrary<Terms> = fc.record({
  timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'),
  businessHours: fc.constantFrom(undefined, weekdayHours, splitDays),
  targets: fc.constantFrom(
    targetsWith(),
    targetsWith({ low: { firstResponse: 700, resolution: 30 }, urgent: { firstResponse: 1, resolution: 3 } }),
  ),
});

/**
 * An action on a ticket. `settle` is a sweep. `policy` changes the policy of the account, not of the ticket. `recompute`
 * applies the account's policy to the ticket.
 */
type Act =
  | { status: TicketStatus }
  | { priority: Priority }
  | { response: true }
  | { settle: true }
  | { recompute: true }
  | { policy: Terms };
interface HistoryEvent {
  /** Milliseconds after the previous event. */
  wait: number;
  act: Act;
}
export interface History {
  start: { at: string; status: TicketStatus; priority: Priority; terms: Terms };
  events: HistoryEvent[];
}

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ status: fc.constantFrom(...ticketStatuses) }) },
  { weight: 2, arbitrary: fc.record({ priority: fc.constantFrom(...priorities) }) },
  { weight: 1, arbitrary: fc.constant<Act>({ response: true }) },
  { weight: 3, arbitrary: fc.constant<Act>({ settle: true }) },
  { weight: 1, arbitrary: fc.record({ policy: terms }) },
  { weight: 1, arbitrary: fc.constant<Act>({ recompute: true }) },
);
const wait = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 2 * minute }),
  fc.integer({ min: 0, max: 5 * hour }),
  fc.integer({ min: 0, max: 40 }).map((quarters) => quarters * 15 * minute),
  fc.integer({ min: 0, max: 5 * 24 * hour }),
);

export const histories: fc.Arbitrary<History> = fc.record({
  start: fc.record({
    at: fc
      .integer({ min: Date.parse('2026-03-24'), max: Date.parse('2026-03-31') })
      .map((at) => new Date(at).toISOString()),
    status: fc.oneof(fc.constant<TicketStatus>('open'), fc.constantFrom(...ticketStatuses)),
    priority: fc.constantFrom(...priorities),
    terms,
  }),
  events: fc.array(fc.record({ wait, act }), { maxLength: 25 }),
});

interface Step {
  at: string;
  act: Act;
  before: Clock;
  after: Clock;
  breaches: Breach[];
}

/** Runs a history and returns the clock, its steps and its ledger. */
export function live({ start, events }: History) {
  const policies = new Map<number, Policy>([[1, { number: 1, ...start.terms }]]);
  const policyOf = (number: number): Policy => {
    const policy = policies.get(number);
    if (!policy) throw new Error(`No policy ${number}.`);
    return policy;
  };
  const started = startClock({ ...start, policy: policyOf(1) });
  const entries: ClockEntry[] = [...started.entries];
  const steps: Step[] = [];
  let clock = started.clock;
  let now = Date.parse(start.at);
  for (const { wait: passed, act: happened } of events) {
    now += passed;
    const at = new Date(now).toISOString();
    const policy = policyOf(clock.policy);
    if ('policy' in happened) {
      const number = policies.size + 1;
      policies.set(number, { number, ...happened.policy });
      continue;
    }
    const made =
      'settle' in happened
        ? settleClock(clock, at)
        : advanceClock(
            clock,
            'priority' in happened || 'recompute' in happened
              ? { at, policy: policyOf(policies.size), ...('priority' in happened && happened) }
              : { at, ...happened },
            policy,
          );
    steps.push({ at, act: happened, before: clock, after: made.clock, breaches: made.breaches });
    entries.push(...made.entries);
    clock = made.clock;
  }
  return { start: started.clock, clock, entries, policies, steps, now: new Date(now).toISOString() };
}

export const withoutSettling = (history: History): History => {
  let passed = 0;
  const events = history.events.flatMap((one) => {
    passed += one.wait;
    if ('settle' in one.act) return [];
    const kept = { ...one, wait: passed };
    passed = 0;
    return [kept];
  });
  return { ...history, events };
};
