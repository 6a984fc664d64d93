import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from 'vitest';
import createTicketRotation from '../../functions/ticket-rotations/create-ticket-rotation.ts';
import simulateTicketRotation from '../../functions/ticket-rotations/simulate-ticket-rotation.ts';
import createTicketType from '../../functions/ticket-types/create-ticket-type.ts';
import readTicketAssignment from '../../functions/tickets/read-ticket-assignment.ts';
import createUser from '../../functions/users/create-user.ts';
import updateUser from '../../functions/users/update-user.ts';
import { createTable } from '../../infra/local/create-table.ts';
import type { TicketAssignment } from '../../shared/support/tickets/assignment-schema.ts';
import type { Ticket } from '../../shared/support/tickets/schema.ts';
import { tableName } from '../../shared/table/client.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { crowd as count, shares } from '../harness/heavy.ts';
import { type Client, tenant } from '../harness/tenant.ts';
import { newTicketOf, sendTicket } from './new-tickets.ts';

// A stream slows the native engine down as it grows, and nothing here reads one.
process.env.TABLE_NAME = `${tableName()}-crowds`;
await createTable(new DynamoDBClient({}), tableName(), { stream: false });

afterEach(noFaults);

/** A desk of four of whom the last is inactive, with a type of ticket that goes to them by weights 5, 3, 1 and 7. */
async function deskOfFour() {
  const { admin } = await tenant();
  const persons: { id: string; email: string }[] = [];
  for (const name of ['Ada', 'Bob', 'Cyd', 'Dan']) {
    const email = `${name.toLowerCase()}@crowd-${Math.random().toString(36).slice(2)}.test`;
    const { id } = await admin.ok(createUser, { body: { name, email } });
    persons.push({ id: String(id), email });
  }
  const rotation = await admin.ok(createTicketRotation, {
    body: {
      name: 'Desk',
      userRotationArray: [5, 3, 1, 7].map((weight, at) => ({ userId: persons[at]?.id ?? '', weight })),
    },
  });
  await admin.ok(updateUser, { params: { email: persons[3]?.email ?? '' }, body: { active: false } });
  const { uniqueId: ticketTypeId } = await admin.ok(createTicketType, {
    body: {
      name: 'Fault',
      description: 'It takes no cards',
      category: 'technical',
      autoAssignmentEnabled: true,
      rotationId: rotation.uniqueId,
    },
  });
  return { admin, rotation, ticketTypeId, ids: persons.map(({ id }) => id) };
}

/** The tickets of so many creations at once; those that failed are told. */
async function crowd(by: Client, count: number, ticketTypeId: string): Promise<Ticket[]> {
  const responses = await Promise.all(Array.from({ length: count }, () => sendTicket(by, { ticketTypeId })));
  expect(responses.filter(({ status }) => status !== 201).map(({ body }) => body)).toEqual([]);
  return responses.map(({ body }) => body);
}

const sharesOf = (ids: readonly string[], tickets: readonly Ticket[]) =>
  ids.map((id) => tickets.filter(({ assignedTo }) => assignedTo === id).length);

/**
 * Whom an assignment names, by nothing but what it says. Smooth weighted round-robin, written anew: at each turn every
 * member gains its weight, and whoever has most pays the sum of the weights.
 */
function whoseTurn({ turn }: TicketAssignment): string | undefined {
  if (!turn) return undefined;
  const credits = new Map(turn.members.map(({ userId }) => [userId, 0]));
  const sum = turn.members.reduce((weights, { weight }) => weights + weight, 0);
  let chosen: string | undefined;
  for (let step = 0; step <= (turn.start + turn.slot) % sum; step++) {
    for (const { userId, weight } of turn.members) credits.set(userId, (credits.get(userId) ?? 0) + weight);
    const most = Math.max(...credits.values());
    chosen = turn.members.find(({ userId }) => credits.get(userId) === most)?.userId;
    if (chosen) credits.set(chosen, most - sum);
  }
  return chosen;
}

/** What every crowd must come to: exact shares, no number and no slot twice, each turn provable by its assignment. */
async function proveTurns(by: Client, tickets: readonly Ticket[]): Promise<void> {
  expect(new Set(tickets.map(({ ticketNumber }) => ticketNumber)).size).toBe(tickets.length);
  const slots = new Set<number | undefined>();
  const left = [...tickets];
  const readers = Array.from({ length: 20 }, async () => {
    for (let ticket = left.pop(); ticket; ticket = left.pop()) {
      const params = { ticketId: String(ticket.id) };
      const assignment = await by.ok(readTicketAssignment, { params });
      expect(whoseTurn(assignment)).toBe(ticket.assignedTo);
      slots.add(assignment.turn?.slot);
    }
  });
  await Promise.all(readers);
  expect([...slots].sort((one, other) => Number(one) - Number(other))).toEqual(
    tickets.map((_, slot) => slot),
  );
}

describe('races are safe', () => {
  test(`${count} tickets at once over weights 5, 3, 1 and an inactive fourth are shared ${shares.join(', ')}, none fails, no number is given twice, and a simulation previews the next 18`, async () => {
    const { admin, rotation, ticketTypeId, ids } = await deskOfFour();
    injectFaults({ overlap: true });
    const tickets = await crowd(admin, count, ticketTypeId);
    noFaults();
    expect(sharesOf(ids, tickets)).toEqual(shares);
    await proveTurns(admin, tickets);

    const params = { id: rotation.uniqueId };
    const previewed = await admin.ok(simulateTicketRotation, { params, body: { count: 18 } });
    expect(previewed.skipped).toMatchObject([{ userId: ids[3], reason: 'inactive' }]);
    const next: (string | undefined)[] = [];
    while (next.length < 18) next.push((await newTicketOf(admin, { ticketTypeId })).assignedTo);
    expect(next).toEqual(previewed.data.map(({ userId }) => userId));
  });

  test('with a fifth of all writes throttled and a fifth of all transactions in conflict, 45 tickets at once are shared 25, 15, 5 and 0, and none fails', async () => {
    const { admin, ticketTypeId, ids } = await deskOfFour();
    injectFaults({ throttles: 0.2, conflicts: 0.2, overlap: true });
    const tickets = await crowd(admin, 45, ticketTypeId);
    expect(injected.throttles).toBeGreaterThan(10);
    expect(injected.conflicts).toBeGreaterThan(10);
    noFaults();
    expect(sharesOf(ids, tickets)).toEqual([25, 15, 5, 0]);
    await proveTurns(admin, tickets);
  });
});
