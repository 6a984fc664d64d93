import { describe, expect, test } from 'vitest';
import createTeam from '../../functions/teams/create-team.ts';
import deleteTicketRotation from '../../functions/ticket-rotations/delete-ticket-rotation.ts';
import updateTicketRotation from '../../functions/ticket-rotations/update-ticket-rotation.ts';
import readTicketAssignment from '../../functions/tickets/read-ticket-assignment.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import createUser from '../../functions/users/create-user.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import updateUser from '../../functions/users/update-user.ts';
import { weightedSequence } from '../../shared/rotations/weighted-sequence.ts';
import type { Ticket, TicketInput } from '../../shared/support/tickets/schema.ts';
import { member } from '../harness/member.ts';
import { eventsAbout } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { newRotationOf, newTicketOf, newTypeOf } from './new-tickets.ts';

const acme = await tenant();
const { admin } = acme;
const create = (fields: Partial<TicketInput> = {}): Promise<Ticket> => newTicketOf(admin, fields);
const change = ({ id }: Ticket, body: object) =>
  admin.ok(updateTicket, { params: { ticketId: String(id) }, body });
const assignmentOf = ({ id }: Ticket) => admin.ok(readTicketAssignment, { params: { ticketId: String(id) } });
const eventsOf = ({ id }: Ticket) => eventsAbout(acme.accountId, id);
const typeOf = (fields: Parameters<typeof newTypeOf>[1] = {}) => newTypeOf(admin, fields);
const rotationOf = (userIds: number[], fields: object = {}) => newRotationOf(admin, userIds, fields);
const [ada, bob] = [(await member(acme)).user, (await member(acme)).user];
/** Creates a user whom the test deactivates later. */
const leaver = async () => (await member(acme)).user;
const deactivate = ({ email }: { email: string }) =>
  admin.ok(updateUser, { params: { email }, body: { active: false } });

test('only tickets of a type with auto-assignment are assigned by rotation', async () => {
  const rotation = await rotationOf([ada.id]);
  const asking = await typeOf({ autoAssignmentEnabled: true, rotationId: rotation.uniqueId });
  const silent = await typeOf({ rotationId: rotation.uniqueId });
  const own = await typeOf({ autoAssignmentEnabled: true });
  await rotationOf([bob.id], { ticketTypeId: own.uniqueId });
  const assigned = async (fields: Partial<TicketInput>) => (await create(fields)).assignedTo;
  expect(await assigned({ ticketTypeId: asking.uniqueId })).toBe(String(ada.id));
  expect(await assigned({ ticketTypeId: own.uniqueId })).toBe(String(bob.id));
  expect(await assigned({ ticketTypeId: silent.uniqueId })).toBeUndefined();
  expect(await assigned({})).toBeUndefined();
  expect(await assigned({ ticketTypeId: asking.uniqueId, assignedTo: bob.email })).toBe(String(bob.id));
});

test('a ticket without an eligible assignee shows the reason', async () => {
  const off = await rotationOf([ada.id], { status: 'inactive' });
  const gone = await rotationOf([ada.id]);
  const left = await leaver();
  const empty = await rotationOf([left.id]);
  await deactivate(left);
  const types = {
    rotation_inactive: await typeOf({ autoAssignmentEnabled: true, rotationId: off.uniqueId }),
    rotation_gone: await typeOf({ autoAssignmentEnabled: true, rotationId: gone.uniqueId }),
    nobody_eligible: await typeOf({ autoAssignmentEnabled: true, rotationId: empty.uniqueId }),
    no_rotation: await typeOf({ autoAssignmentEnabled: true }),
  };
  await admin.ok(deleteTicketRotation, { params: { id: gone.uniqueId } });
  for (const [reason, { uniqueId }] of Object.entries(types)) {
    const ticket = await create({ ticketTypeId: uniqueId });
    expect(ticket.assignedTo, reason).toBeUndefined();
    expect((await eventsOf(ticket))[0]?.data).toMatchObject({ unassigned: true, reason });
    expect(await assignmentOf(ticket)).toMatchObject({ how: 'rotation', reason, by: acme.adminEmail });
  }
  const plain = await create();
  expect((await eventsOf(plain))[0]?.data).not.toHaveProperty('unassigned');
  expect(await assignmentOf(plain)).toMatchObject({ how: 'nobody', reason: 'no_turn' });
});

describe('GET /tickets/{ticketId}/assignment', () => {
  test('the assignment of a ticket to a team shows who assigned the ticket and when', async () => {
    const team = await admin.ok(createTeam, { body: { name: 'Desk' } });
    const ticket = await create();
    const given = await acme.key.ok(updateTicket, {
      params: { ticketId: String(ticket.id) },
      body: { assignedTeamId: team.id },
    });
    expect(await assignmentOf(ticket)).toEqual({
      ticketId: ticket.id,
      uniqueId: ticket.uniqueId,
      assignedTeamId: team.id,
      at: given.updatedAt,
      by: acme.apiKey,
      how: 'sent',
    });
  });

  test('the assignment contains everything that determined the assignee', async () => {
    const left = await leaver();
    const stranger = await admin.ok(createUser, { body: { email: 'short.stay@acme.test' } });
    const rotation = await rotationOf([], {
      userRotationArray: [
        { userId: String(ada.id), weight: 3 },
        { userId: String(left.id), weight: 2 },
        { userId: String(stranger.id), weight: 2 },
        { userId: String(bob.id), weight: 1 },
      ],
    });
    const { uniqueId } = await typeOf({ autoAssignmentEnabled: true, rotationId: rotation.uniqueId });
    await deactivate(left);
    await admin.ok(deleteUser, { params: { email: stranger.email } });
    for (let slot = 0; slot < 5; slot++) {
      const ticket = await create({ ticketTypeId: uniqueId });
      const { turn, ...rest } = await assignmentOf(ticket);
      expect(rest).toEqual({
        ticketId: ticket.id,
        uniqueId: ticket.uniqueId,
        assignedTo: ticket.assignedTo,
        at: ticket.createdAt,
        by: acme.adminEmail,
        how: 'rotation',
      });
      if (!turn) throw new Error('There is no turn.');
      const { members, start, sequence, position = -1 } = turn;
      expect(turn).toMatchObject({ rotationId: rotation.uniqueId, slot });
      expect(turn.skipped).toEqual([
        { userId: String(left.id), reason: 'inactive' },
        { userId: String(stranger.id), reason: 'not_member' },
      ]);
      expect(sequence).toEqual(weightedSequence(members).map(({ userId }) => userId));
      expect(position).toBe((start + slot) % sequence.length);
      expect(sequence[position]).toBe(ticket.assignedTo);
    }
  });

  test('an assignment shows who changed the assignee, even if the assignee was cleared', async () => {
    const ticket = await create({ assignedTo: ada.email });
    expect(await assignmentOf(ticket)).toMatchObject({ how: 'sent', assignedTo: String(ada.id) });
    await change(ticket, { assignedTo: bob.email });
    expect(await assignmentOf(ticket)).toMatchObject({ how: 'sent', assignedTo: String(bob.id) });
    await change(ticket, { assignedTo: null });
    const cleared = await assignmentOf(ticket);
    expect(cleared).toMatchObject({ how: 'sent', by: acme.adminEmail });
    expect(cleared).not.toHaveProperty('assignedTo');
  });
});

test('a reopened ticket is never assigned to an inactive user', async () => {
  const rotation = await rotationOf([bob.id]);
  const { uniqueId } = await typeOf({ autoAssignmentEnabled: true, rotationId: rotation.uniqueId });
  const silent = await typeOf();
  const left = await leaver();
  const make = (status: TicketInput['status'], ticketTypeId?: string) =>
    create({ status, ticketTypeId, assignedTo: left.email });
  const typed = await make('resolved', uniqueId);
  const untyped = await make('closed');
  const asksForNone = await make('closed', silent.uniqueId);
  const kept = await create({ status: 'closed', assignedTo: ada.email });
  const reassigned = await make('closed', uniqueId);
  const open = await make('open', uniqueId);
  const between = await make('resolved', uniqueId);
  await deactivate(left);

  // The first change is rejected and does not advance the rotation. The second change sends the present
  // assignee, who is inactive, and the rotation assigns another user.
  const rawBody = JSON.stringify({ status: 'open', createdBy: 'nobody' });
  const refused = await admin.call(updateTicket, { params: { ticketId: typed.uniqueId }, rawBody });
  expect(refused.status).toBe(400);
  const reopened = await change(typed, { status: 'open', assignedTo: String(left.id) });
  expect(reopened).toMatchObject({ assignedTo: String(bob.id), reopenCount: 1 });
  expect(await assignmentOf(typed)).toMatchObject({ how: 'reopened', turn: { slot: 0 } });
  const kinds = (await eventsOf(typed)).map(({ kind }) => kind);
  expect(kinds).toEqual(['ticket_created', 'ticket_updated', 'ticket_assigned', 'ticket_status_changed']);
  expect(await change(untyped, { status: 'in_progress' })).not.toHaveProperty('assignedTo');
  expect(await assignmentOf(untyped)).toMatchObject({ how: 'reopened', reason: 'no_turn' });
  expect(await change(asksForNone, { status: 'in_progress' })).not.toHaveProperty('assignedTo');
  expect((await change(kept, { status: 'open' })).assignedTo).toBe(String(ada.id));
  expect((await change(reassigned, { status: 'open', assignedTo: ada.email })).assignedTo).toBe(
    String(ada.id),
  );
  expect((await change(open, { status: 'in_progress' })).assignedTo).toBe(String(left.id));
  expect((await change(between, { status: 'closed' })).assignedTo).toBe(String(left.id));
  await admin.ok(updateTicketRotation, { params: { id: rotation.uniqueId }, body: { status: 'inactive' } });
  expect(await change(between, { status: 'open' })).not.toHaveProperty('assignedTo');
  expect(await assignmentOf(between)).toMatchObject({ how: 'reopened', reason: 'rotation_inactive' });
});
