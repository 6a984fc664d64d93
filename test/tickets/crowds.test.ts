import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from 'vitest';
import simulateTicketRotation from '../../functions/ticket-rotations/simulate-ticket-rotation.ts';
import readTicketAssignment from '../../functions/tickets/read-ticket-assignment.ts';
import createUser from '../../functions/users/create-user.ts';
import updateUser from '../../functions/users/update-user.ts';
import { createTable } from '../../infra/local/create-table.ts';
import type { TicketAssignment } from '../../shared/support/tickets/assignment-schema.ts';
import type { Ticket } from '../../shared/support/tickets/schema.ts';
import { tableName } from '../../shared/table/client.ts';
import { concurrently } from '../harness/concurrently.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { crowd as count, shares } from '../harness/heavy.ts';
import { type Client, tenant } from '../harness/tenant.ts';
import { newRotationOf, newTicketOf, newTypeOf, sendTicket } from './new-tickets.ts';

// Creates the table without a stream. A stream slows down the native engine as it grows, and no test in this
// file needs it.
process.env.TABLE_NAME = `${tableName()}-crowds`;
await createTable(new DynamoDBClient({}), tableName(), { stream: false });

afterEach(noFaults);

/** Creates a ticket type with a rotation of four users with weights 5, 3, 1 and 7. The last user is inactive. */
async function deskOfFour() {
  const { admin } = await tenant();
  const persons: { id: string; email: string }[] = [];
  for (const name of ['Ada', 'Bob', 'Cyd', 'Dan']) {
    const email = `${name.toLowerCase()}@crowd-${Math.random().toString(36).slice(2)}.test`;
    const { id } = await admin.ok(createUser, { body: { name, email } });
    persons.push({ id: String(id), email });
  }
  const userRotationArray = [5, 3, 1, 7].map((weight, at) => ({ userId: persons[at]?.id ?? '', weight }));
  const rotation = await newRotationOf(admin, [], { userRotationArray });
  await admin.ok(updateUser, { params: { email: persons[3]?.email ?? '' }, body: { active: false } });
  const assigned = { autoAssignmentEnabled: true, rotationId: rotation.uniqueId };
  const { uniqueId: ticketTypeId } = await newTypeOf(admin, assigned);
  return { admin, rotation, ticketTypeId, ids: persons.map(({ id }) => id) };
}

/** Creates tickets concurrently, and expects that every creation succeeds. */
async function crowd(by: Client, count: number, ticketTypeId: string): Promise<Ticket[]> {
  const responses = await concurrently(count, () => sendTicket(by, { ticketTypeId }));
  expect(responses.filter(({ status }) => status !== 201).map(({ body }) => body)).toEqual([]);
  return responses.map(({ body }) => body);
}

const sharesOf = (ids: readonly string[], tickets: readonly Ticket[]) =>
  ids.map((id) => tickets.filter(({ assignedTo }) => assignedTo === id).length);

/**
 * Computes the assignee from the assignment alone, with an independent implementation of smooth weighted round-robin.
 * In each step, every member's credit grows by its weight. The member with the most credit is chosen, and its credit
 * decreases by the sum of the weights.
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

/**
 * Verifies that no ticket number and no slot is used twice, and that the assignee of each ticket follows from
 * its assignment.
 */
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
  test(`a rotation with weights 5, 3, 1 and an inactive member shares ${count} concurrent tickets as ${shares.join(', ')}, and a simulation previews the next 18`, async () => {
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

  test('45 concurrent tickets are distributed as 25, 15, 5 and 0, even if 20% of writes are throttled and 20% of transactions conflict', async () => {
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
