import { describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import listTeams from '../../functions/teams/list-teams.ts';
import createTicketRotation from '../../functions/ticket-rotations/create-ticket-rotation.ts';
import createTicketType from '../../functions/ticket-types/create-ticket-type.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import { measure } from '../costs/meter.ts';
import { member } from '../harness/member.ts';
import { inQuietMinute } from '../harness/quiet-minute.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { newTicketOf, sendTicket } from './new-tickets.ts';

const acme = await tenant();
const { admin } = acme;
const { user } = await member(acme, [], { name: 'Grace Hopper' });
const rotation = await admin.ok(createTicketRotation, {
  body: { name: 'Desk', userRotationArray: [{ userId: String(user.id), weight: 1 }] },
});
const type = await admin.ok(createTicketType, {
  body: {
    name: 'Fault',
    description: 'It takes no cards',
    category: 'technical',
    autoAssignmentEnabled: true,
    rotationId: rotation.uniqueId,
    customFields: [{ key: 'model', label: 'Model', type: 'text' }],
  },
});
/** The counters that no transaction touches. */
const counters = async () =>
  (await scanTable()).filter(
    ({ pk, sk }) => pk.startsWith(`ACCOUNT#${acme.accountId}#`) && (sk === 'COUNT' || sk.startsWith('SLOT#')),
  );

test('fifty creations with one Idempotency-Key make one ticket and one event', async () => {
  const globex = await tenant();
  const headers = { 'idempotency-key': 'once' };
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => sendTicket(globex.admin, {}, headers)),
  );
  expect(new Set(responses.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  const items = await scanTable();
  const own = items.filter(({ pk }) => pk.startsWith(`ACCOUNT#${globex.accountId}#TICKET#`));
  expect(own.map(({ sk }) => sk).sort()).toEqual(['0000000000000001', 'RECORD', 'SUMMARY', 'TOTALS']);
  const events = await storedEvents(globex.accountId);
  expect(events.filter(({ kind }) => kind === 'ticket_created')).toHaveLength(1);
});

test('a hundred refused creations leave the counter and the slots where they are', async () => {
  await newTicketOf(admin, { ticketTypeId: type.uniqueId });
  const before = await counters();
  expect(before).toHaveLength(2);
  const wrong = [
    { requesterType: 'lead', requesterId: '1' },
    { requesterEmail: undefined },
    { customFields: { colour: 'red' } },
    { assignedTeamId: 7 },
    { merchantId: 1 },
  ] as const;
  const statuses = await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      const fields = { ticketTypeId: type.uniqueId, ...wrong[n % wrong.length] };
      return (await sendTicket(admin, fields)).status;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([400]));
  expect(await counters()).toEqual(before);
});

describe('what waits for what', () => {
  const sequenceOf = async (call: () => Promise<{ status: number }>) => {
    await inQuietMinute(() => admin.ok(listTeams));
    const { sequence, result } = await measure(call);
    expect(result.status).toBeLessThan(300);
    return sequence;
  };
  const make = (fields: object) => () => sendTicket(admin, fields);

  test('a creation takes three round trips, and four where a rotation assigns', async () => {
    expect(await sequenceOf(make({}))).toBe(3);
    expect(await sequenceOf(make({ requesterType: 'user', requesterId: String(user.id) }))).toBe(3);
    expect(await sequenceOf(make({ assignedTo: String(user.id), ticketTypeId: type.uniqueId }))).toBe(3);
    expect(await sequenceOf(make({ ticketTypeId: type.uniqueId }))).toBe(4);
  });

  test('a ticket is read in one round trip and changed in two, or three where something older must be read', async () => {
    const ticket = await newTicketOf(admin, { ticketTypeId: type.uniqueId });
    const params = { ticketId: ticket.uniqueId };
    const patch = (body: object) => () => admin.call(updateTicket, { params, body });
    expect(await sequenceOf(() => admin.call(readTicket, { params }))).toBe(1);
    const byNumber = { ticketId: ticket.ticketNumber };
    expect(await sequenceOf(() => admin.call(readTicket, { params: byNumber }))).toBe(2);
    expect(await sequenceOf(patch({ status: 'in_progress', priority: 'high', tags: ['x'] }))).toBe(2);
    expect(await sequenceOf(patch({ assignedTo: null }))).toBe(2);
    expect(await sequenceOf(patch({ assignedTo: String(user.id) }))).toBe(2);
    expect(await sequenceOf(patch({ customFields: { model: 'T-1' } }))).toBe(3);
    await admin.ok(updateAccount, { params: { id: acme.accountId }, body: { timezone: 'Europe/Berlin' } });
    expect(await sequenceOf(patch({ status: 'open' }))).toBe(3);
  });
});
