import { describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import createApplication from '../../functions/applications/create-application.ts';
import createLead from '../../functions/leads/create-lead.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import listTeams from '../../functions/teams/list-teams.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import type { Ticket } from '../../shared/support/tickets/schema.ts';
import { measure } from '../costs/meter.ts';
import { concurrently } from '../harness/concurrently.ts';
import { member } from '../harness/member.ts';
import { inQuietMinute } from '../harness/quiet-minute.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
import { client, tenant } from '../harness/tenant.ts';
import { newRotationOf, newTicketOf, newTypeOf, sendTicket, ticketInput } from './new-tickets.ts';

const acme = await tenant();
const { admin } = acme;
const { user } = await member(acme, [], { name: 'Grace Hopper' });
const { uniqueId: rotationId } = await newRotationOf(admin, [user.id]);
const customFields = [{ key: 'model', label: 'Model', type: 'text' as const }];
const type = await newTypeOf(admin, { autoAssignmentEnabled: true, rotationId, customFields });
const counters = async () =>
  (await scanTable()).filter(
    ({ pk, sk }) => pk.startsWith(`ACCOUNT#${acme.accountId}#`) && (sk === 'COUNT' || sk.startsWith('SLOT#')),
  );

test('fifteen concurrent creations with one Idempotency-Key create one ticket and one event', async () => {
  const globex = await tenant();
  const headers = { 'idempotency-key': 'once' };
  const responses = await concurrently(15, () => sendTicket(globex.admin, {}, headers));
  expect(new Set(responses.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  const items = await scanTable();
  const own = items.filter(({ pk }) => pk.startsWith(`ACCOUNT#${globex.accountId}#TICKET#`));
  expect(own.map(({ sk }) => sk).sort()).toEqual(['0000000000000001', 'RECORD', 'SUMMARY', 'TOTALS']);
  const events = await storedEvents(globex.accountId);
  expect(events.filter(({ kind }) => kind === 'ticket_created')).toHaveLength(1);
});

test('rejected creations use no ticket number and do not advance the rotation', async () => {
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
  const statuses = await concurrently(20, async (n) => {
    const fields = { ticketTypeId: type.uniqueId, ...wrong[n % wrong.length] };
    return (await sendTicket(admin, fields)).status;
  });
  expect(new Set(statuses)).toEqual(new Set([400]));
  expect(await counters()).toEqual(before);
});

test('a ticket copies nothing from a record that the caller may not read, so the request must contain the contact', async () => {
  const merchant = await admin.ok(createMerchant, {
    body: {
      merchantName: 'Harbor Street',
      principals: [{ firstName: 'Ada', email: 'ada@harbor.example', phone: '+1 415 555 0134' }],
    },
  });
  const mid = await admin.ok(createMid, {
    params: { merchantId: merchant.id },
    body: { mid: '444501234777' },
  });
  const writer = await member(acme, ['writeTickets'], { name: 'Lin Chen' });
  const reader = await member(acme, ['writeTickets', 'readMerchants']);
  const asked = { requesterType: 'mid', requesterId: String(mid.id) } as const;
  const nothing = { ...asked, requesterName: undefined, requesterEmail: undefined };
  const { status, body } = await sendTicket(writer.client, nothing);
  expect([status, body.details]).toEqual([
    400,
    [{ field: 'requesterName', message: 'is required, because you may not read the MID in requesterId' }],
  ]);
  const contactOf = (ticket: Ticket) => {
    const { requesterName, requesterEmail, requesterPhone, merchantId, merchantName, midId } = ticket;
    return { requesterName, requesterEmail, requesterPhone, merchantId, merchantName, midId };
  };
  const { requesterName, requesterEmail } = ticketInput;
  expect(contactOf(await newTicketOf(writer.client, asked))).toEqual({
    requesterName,
    requesterEmail,
    midId: mid.id,
  });
  expect(contactOf(await newTicketOf(writer.client, { merchantId: merchant.id }))).toEqual({
    requesterName,
    requesterEmail,
    merchantId: merchant.id,
  });
  expect(contactOf(await newTicketOf(reader.client, asked))).toEqual({
    requesterName: 'Ada',
    requesterEmail: 'ada@harbor.example',
    requesterPhone: '+1 415 555 0134',
    merchantId: merchant.id,
    merchantName: 'Harbor Street',
    midId: mid.id,
  });
  const self = { requesterType: 'user', requesterId: String(writer.user.id) } as const;
  expect((await newTicketOf(writer.client, self)).requesterName).toBe('Lin Chen');
  const colleague = { requesterType: 'user', requesterId: String(user.id) } as const;
  expect((await newTicketOf(writer.client, colleague)).requesterName).toBe(requesterName);
});

test('a ticket copies a record of each type only if the caller may read that type', async () => {
  const named = { firstName: 'Copied', lastName: 'Name' };
  const query = { skipTeamAndSourceRequirement: true };
  const lead = await admin.ok(createLead, { query, body: { ...named, email: 'copied@example.com' } });
  const basics = { dbaContact: 'Copied Name', dbaEmail: 'copied@example.com' };
  const application = await admin.ok(createApplication, { body: { basics } });
  const merchant = await admin.ok(createMerchant, {
    body: { merchantName: 'Copied', principals: [{ ...named, email: 'copied@example.com' }] },
  });
  const ofMerchant = { params: { merchantId: merchant.id } };
  const mid = await admin.ok(createMid, { ...ofMerchant, body: { mid: '444501234778' } });
  const { user: asked } = await member(acme, [], { name: 'Copied Name' });
  const types = [
    ['lead', lead.id, 'readLeads'],
    ['application', application.id, 'readApplications'],
    ['merchant', merchant.id, 'readMerchants'],
    ['merchant-internal', merchant.id, 'readMerchants'],
    ['mid', mid.id, 'readMerchants'],
    ['user', asked.id, 'readUsers'],
  ] as const;
  const permissions = new Set(types.map(([, , permission]) => permission));
  for (const held of permissions) {
    const body = { description: held, flatPermissionsList: ['writeTickets' as const, held] };
    const { apiKey, apiSecret } = await admin.ok(createApiKey, { body });
    const by = client({ 'x-account-id': acme.accountId, 'x-api-key': apiKey, 'x-api-secret': apiSecret });
    for (const [requesterType, id, needed] of types) {
      const ticket = await newTicketOf(by, { requesterType, requesterId: String(id) });
      const wanted = needed === held ? 'Copied Name' : ticketInput.requesterName;
      expect(ticket.requesterName, `${requesterType} for ${held}`).toBe(wanted);
    }
  }
});

describe('round trips', () => {
  const sequenceOf = async (call: () => Promise<{ status: number }>) => {
    await inQuietMinute(() => admin.ok(listTeams));
    const { sequence, result } = await measure(call);
    expect(result.status).toBeLessThan(300);
    return sequence;
  };

  test('reading a ticket by its id takes one round trip; a change takes two, and a third to read the ticket’s type or a former policy', async () => {
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
