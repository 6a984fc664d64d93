import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import slaSweep from '../../events/schedules/sla-sweep.ts';
import bulkTickets from '../../functions/tickets/bulk-tickets.ts';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import { checkTickets } from '../../infra/operations/check-tickets.ts';
import { accountPolicy } from '../../shared/accounts/policy-of.ts';
import { accounts } from '../../shared/accounts/store.ts';
import type { ClockEntry } from '../../shared/sla/clock.ts';
import type { Policy } from '../../shared/sla/policy.ts';
import { changeByComment } from '../../shared/support/ticket-comments/new-comment.ts';
import {
  type ChangedTicket,
  changeTicket,
  type TicketChange,
} from '../../shared/support/tickets/change-ticket.ts';
import { clockEntries } from '../../shared/support/tickets/clock-entries.ts';
import { tickets } from '../../shared/support/tickets/store.ts';
import type { StoredTicket } from '../../shared/support/tickets/stored-ticket.ts';
import { settleTicket } from '../../shared/support/tickets/sweep-tickets.ts';
import { clock } from '../harness/clock.ts';
import { rounds } from '../harness/heavy.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { runSchedule } from '../harness/run-schedule.ts';
import { tenant } from '../harness/tenant.ts';
import { newTicketOf } from './new-tickets.ts';

/** The number of rounds for each ticket. Both targets of a ticket become due during its rounds. */
const life = 25;
const minute = 60_000;

const patches = [
  { subject: 'Another subject' },
  { status: 'in_progress' },
  { status: 'waiting_customer' },
  { priority: 'urgent' },
  { status: 'resolved', priority: 'high' },
  { status: 'open', priority: 'medium' },
  { status: 'closed' },
] as const;
const comments = [
  { body: 'Any news?', authorType: 'customer' },
  { body: 'Nobody is here.', visibility: 'internal' },
  { body: 'Still nothing?', authorType: 'customer' },
  { body: 'We are on it.', status: 'waiting_customer' },
  { body: 'We are still on it.' },
] as const;

// Hides the metric of the sweep.
beforeAll(() => {
  const write = process.stdout.write.bind(process.stdout);
  vi.spyOn(process.stdout, 'write').mockImplementation((line: string | Uint8Array) =>
    String(line).includes('"SlaSweepLag"') ? true : write(line),
  );
});
afterAll(() => {
  vi.restoreAllMocks();
});

type Act = (ticket: StoredTicket, now: Date) => ChangedTicket;

/**
 * Returns all possible outcomes: one for each order of the actions at each of these instants. They contain no times.
 */
function everyOutcome(before: StoredTicket, acts: readonly Act[], instants: readonly Date[]): string[] {
  return instants.flatMap((now) =>
    ordersOf(acts).map((order) => {
      let ticket = before;
      const entries: ClockEntry[] = [];
      for (const act of order) {
        const changed = act(ticket, now);
        ticket = changed.after;
        entries.push(...changed.entries);
      }
      return outcomeOf(ticket, entries);
    }),
  );
}

const ordersOf = <T>(all: readonly T[]): T[][] =>
  all.length === 0
    ? [[]]
    : all.flatMap((first, n) =>
        ordersOf(all.filter((_, other) => other !== n)).map((rest) => [first, ...rest]),
      );

function outcomeOf(ticket: StoredTicket, entries: readonly ClockEntry[]): string {
  const { version, subject, status, priority, tags, commentCount, responseCount, internalNoteCount } = ticket;
  const { firstResponseBreachedAt, resolutionBreachedAt, reopens, ...times } = ticket.clock;
  return JSON.stringify({
    ...{ version, subject, status, priority, tags, commentCount, responseCount, internalNoteCount, reopens },
    // Compares whether a target is missed, but not when. If a new priority moves a target into the past, the target is
    // missed at the time of the change, which the test does not know exactly.
    breached: [firstResponseBreachedAt, resolutionBreachedAt].map((one) => one !== undefined),
    known: [times.firstResponseTime, times.resolvedAt, times.closedAt].map((one) => one !== undefined),
    entries: entries.map(({ n, kind, status: to, priority: rank }) => [n, kind, to, rank]),
  });
}

test(`concurrent changes and sweeps of a ticket have the outcome of some sequential order (${rounds} rounds)`, async () => {
  const acme = await tenant();
  const { accountId } = acme;
  const policy: Policy = accountPolicy(await accounts.get(accountId));
  const context = (now: Date) => ({ now, actor: 'somebody', policy, currentPolicy: policy });
  const ids: number[] = [];
  let id = 0;
  for (let round = 0; round < rounds; round++) {
    if (round % life === 0) {
      ({ id } = await newTicketOf(acme.directKey, { priority: 'high', assignedTo: acme.adminEmail }));
      ids.push(id);
    }
    clock.advance((3 + (round % 5) * 9) * minute);
    const params = { ticketId: String(id) };
    const patch = patches[(round * 3) % patches.length] ?? {};
    const comment = comments[(round % life) % comments.length] ?? comments[0];
    const before = await tickets.get(accountId, id);
    const from = clock.now();
    await Promise.all([
      acme.directKey.ok(updateTicket, { params, body: { ...patch, tags: [`round ${round}`] } }),
      acme.directKey.ok(createTicketComment, { params, body: comment }),
      acme.directKey
        .ok(bulkTickets, { body: { ticketIds: [String(id)], action: 'add_tag', payload: { tag: 'bulk' } } })
        .then(({ success }) => expect(success).toBe(true)),
      runSchedule(slaSweep, clock.now()),
    ]);
    const after = await tickets.get(accountId, id);
    const entries = (await clockEntries.of(before)).slice(before.clock.entries);
    const change: TicketChange = { ...patch, tags: [`round ${round}`] };
    const acts: Act[] = [
      (ticket, now) => changeTicket(ticket, change, context(now)),
      (ticket, now) => changeTicket(ticket, changeByComment(ticket, comment), context(now)),
      (ticket, now) => changeTicket(ticket, { addTag: 'bulk' }, context(now)),
      (ticket, now) => settleTicket(ticket, context(now)),
    ];
    // Computes the outcomes at the start and at the end of the round, because a target may become due in
    // between.
    const possible = everyOutcome(before, acts, [from, clock.now()]);
    expect(possible, `round ${round}`).toContain(outcomeOf(after, entries));
  }
  const announced = (await storedEvents(accountId)).filter(
    ({ data }) => (data as { change?: string }).change === 'sla_breached',
  );
  for (const { id: ticketId, clock: last } of await tickets.findMany(accountId, ids)) {
    const missed = [last.firstResponseBreachedAt, last.resolutionBreachedAt].filter((at) => at !== undefined);
    expect(announced.filter(({ subject }) => (subject as { id?: number }).id === ticketId)).toHaveLength(
      missed.length,
    );
  }
  expect(announced.length).toBeGreaterThan(0);
  expect((await checkTickets(accountId)).differences).toEqual([]);
}, 300_000);
