import { expect, test } from 'vitest';
import deleteTicketType from '../../functions/ticket-types/delete-ticket-type.ts';
import replaceTicketType from '../../functions/ticket-types/replace-ticket-type.ts';
import setTicketTypeStatus from '../../functions/ticket-types/set-ticket-type-status.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import type { Ticket } from '../../shared/support/tickets/schema.ts';
import { member } from '../harness/member.ts';
import { eventsAbout } from '../harness/raw-table.ts';
import { type Client, tenant } from '../harness/tenant.ts';
import { newTicketOf, newTypeOf, outcome, sendTicket, typeInput } from './new-tickets.ts';

const acme = await tenant();
const { admin } = acme;
const model = { key: 'model', label: 'Model', type: 'text', maxLength: 5 } as const;
const serial = { key: 'serial', label: 'Serial number', type: 'integer', required: true } as const;
const typeOf = (fields: Parameters<typeof newTypeOf>[1]) => newTypeOf(admin, fields);
const attempt = (fields: object, by: Client = admin) => outcome(sendTicket(by, fields));
const patch = ({ id }: Ticket, body: object) =>
  admin.call(updateTicket, { params: { ticketId: String(id) }, body });

test('a ticket has the category of its type by default, and the request may contain either id of the type', async () => {
  const type = await typeOf({ category: 'billing' });
  for (const ticketTypeId of [type.uniqueId, type.uniqueId.toUpperCase(), String(type.id)])
    expect(await newTicketOf(admin, { ticketTypeId, category: undefined })).toMatchObject({
      ticketTypeId: type.uniqueId,
      category: 'billing',
    });
  expect(await newTicketOf(admin, { ticketTypeId: type.uniqueId })).toMatchObject({ category: 'technical' });
});

test('a new ticket requires all permissions of its type, which are checked after the body and before the references', async () => {
  const type = await typeOf({ requiredPermissions: ['writeUnderwriting', 'readMerchants'] });
  const ticketTypeId = type.uniqueId;
  const { client: first } = await member(acme, ['writeTickets', 'writeUnderwriting']);
  const { client: second } = await member(acme, ['writeTickets', 'readMerchants']);
  const { client: both } = await member(acme, ['writeTickets', 'writeUnderwriting', 'readMerchants']);
  for (const one of [first, second])
    expect(await attempt({ ticketTypeId }, one)).toBe('403 permission_denied');
  expect(await attempt({ ticketTypeId, requesterType: 'lead', requesterId: '1' }, first)).toBe(
    '403 permission_denied',
  );
  expect(await attempt({ ticketTypeId, subject: '' }, first)).toBe('400 subject');
  for (const one of [both, acme.key]) expect(await attempt({ ticketTypeId }, one)).toBe(201);
  await admin.ok(setTicketTypeStatus, { params: { id: type.uniqueId }, body: { isActive: false } });
  expect(await attempt({ ticketTypeId }, first)).toBe('403 permission_denied');
  expect(await attempt({ ticketTypeId }, both)).toBe('400 ticketTypeId');
});

test('an inactive type accepts no new tickets, and its existing tickets can be changed', async () => {
  const type = await typeOf({ customFields: [model] });
  const ticket = await newTicketOf(admin, { ticketTypeId: type.uniqueId });
  await admin.ok(setTicketTypeStatus, { params: { id: type.uniqueId }, body: { isActive: false } });
  const { status, body } = await sendTicket(admin, { ticketTypeId: type.uniqueId });
  expect([status, body.error]).toEqual([400, 'ticket_type_inactive']);
  expect(await outcome(patch(ticket, { status: 'closed', customFields: { model: 'T-1' } }))).toBe(200);
});

test('tickets of a deleted type keep their type and values, and accept no new values', async () => {
  const type = await typeOf({ customFields: [model] });
  const ticket = await newTicketOf(admin, { ticketTypeId: type.uniqueId, customFields: { model: 'T-1' } });
  await admin.ok(deleteTicketType, { params: { id: type.uniqueId } });
  expect(await attempt({ ticketTypeId: type.uniqueId })).toBe('400 ticketTypeId');
  expect(await outcome(patch(ticket, { customFields: { model: 'T-2' } }))).toBe('400 customFields.model');
  const { status, body } = await patch(ticket, { status: 'closed' });
  expect([status, body]).toMatchObject([
    200,
    { ticketTypeId: type.uniqueId, customFields: { model: 'T-1' } },
  ]);
});

test('custom fields get their defaults, and changes are merged by key', async () => {
  const type = await typeOf({ customFields: [{ ...model, default: 'T-0' }, serial] });
  const ticketTypeId = type.uniqueId;
  expect(await attempt({ ticketTypeId })).toBe('400 customFields.serial');
  expect(await attempt({ ticketTypeId, customFields: { serial: 'x' } })).toBe('400 customFields.serial');
  expect(await attempt({ ticketTypeId, customFields: { serial: 1, colour: 'red' } })).toBe(
    '400 customFields.colour',
  );
  const ticket = await newTicketOf(admin, { ticketTypeId, customFields: { serial: 1 } });
  expect(ticket.customFields).toEqual({ model: 'T-0', serial: 1 });
  expect((await patch(ticket, { customFields: { model: 'T-1' } })).body.customFields).toEqual({
    model: 'T-1',
    serial: 1,
  });
  expect((await patch(ticket, { customFields: { model: null } })).body.customFields).toEqual({ serial: 1 });
  expect(await outcome(patch(ticket, { customFields: { serial: null } }))).toBe('400 customFields.serial');
  expect(await outcome(patch(ticket, { customFields: { model: 'too long' } }))).toBe(
    '400 customFields.model',
  );
  const updates = (await eventsAbout(acme.accountId, ticket.id)).filter(
    ({ kind }) => kind === 'ticket_updated',
  );
  expect(updates.map(({ data }) => data)).toEqual([
    { changes: { 'customFields.model': { from: 'T-0', to: 'T-1' } } },
    { changes: { 'customFields.model': { from: 'T-1' } } },
  ]);
});

test('a newly required field does not block other changes of existing tickets', async () => {
  const type = await typeOf({ customFields: [model] });
  const ticket = await newTicketOf(admin, { ticketTypeId: type.uniqueId, customFields: { model: 'T-1' } });
  await admin.ok(replaceTicketType, {
    params: { id: type.uniqueId },
    body: { ...typeInput, customFields: [{ ...model, maxLength: 1 }, serial] },
  });
  expect(await attempt({ ticketTypeId: type.uniqueId })).toBe('400 customFields.serial');
  for (const body of [{ status: 'resolved' }, { priority: 'urgent' }, { tags: ['x'] }, { subject: 'Again' }])
    expect(await outcome(patch(ticket, body)), JSON.stringify(body)).toBe(200);
});
