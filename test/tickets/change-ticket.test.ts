import { expect, test } from 'vitest';
import createTicket from '../../functions/tickets/create-ticket.ts';
import readTicketEndpoint from '../../functions/tickets/read-ticket.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import { asAccountId } from '../../shared/id/account-id.ts';
import { targetsWith } from '../../shared/sla/policy.ts';
import { changeTicket, type TicketChange } from '../../shared/support/tickets/change-ticket.ts';
import { ticketEvents } from '../../shared/support/tickets/events.ts';
import { tickets } from '../../shared/support/tickets/store.ts';
import { clock } from '../harness/clock.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { newTicketOf, ticketInput } from './new-tickets.ts';

const acme = await tenant();
const account = asAccountId(acme.accountId) ?? expect.unreachable();
const { admin } = acme;
const policy = { number: 1, timezone: 'UTC', targets: targetsWith() };
const context = (now = clock.now()) => ({ now, actor: 'grace@acme.test', policy, currentPolicy: policy });
const made = async (fields = {}) => tickets.get(account, (await newTicketOf(admin, fields)).id);

test('a 51st tag is rejected, but a duplicate of an existing tag is accepted', async () => {
  const before = await made({ tags: Array.from({ length: 50 }, (_, n) => `tag ${n}`) });
  expect(() => changeTicket(before, { addTag: 'one more' }, context())).toThrow('50 tags');
  const { after } = changeTicket(before, { addTag: 'TAG 7' }, context());
  expect(after).toBe(before);
});

test('tags that filters treat as equal are duplicates, in every spelling and Unicode form', async () => {
  const sent = [
    'Zürich',
    'zu\u0308rich',
    'ZUERICH',
    'Ｚｕｒｉｃｈ',
    'Straße',
    'STRASSE',
    'Zug',
    'Søren',
    'Soeren',
  ];
  const before = await made({ tags: sent });
  expect(before.tags).toEqual(['Zürich', 'Straße', 'Zug', 'Søren']);
  for (const addTag of sent) expect(changeTicket(before, { addTag }, context()).after).toBe(before);
  const { after } = changeTicket(before, { removeTag: 'Zu\u0308rich' }, context());
  expect(after.tags).toEqual(['Straße', 'Zug', 'Søren']);
});

test('a change without effect returns the same object and emits no event', async () => {
  const before = await made({ tags: ['a'] });
  for (const nothing of [
    {},
    { status: 'open', priority: 'medium', subject: ticketInput.subject },
    { tags: ['a', 'A'], assignedTo: null, assignedTeamId: null },
    { removeTag: 'b', addTag: undefined },
  ] as TicketChange[]) {
    const changed = changeTicket(before, nothing, context());
    expect(changed.after).toBe(before);
    expect(ticketEvents(changed)).toEqual([]);
    expect(tickets.change(changed)).toEqual([]);
  }
});

test('a change emits a breach event if the due time of a target has passed, even if the change is empty', async () => {
  const before = await made({ priority: 'urgent' });
  const due = new Date(Date.parse(before.createdAt) + 15 * 60_000).toISOString();
  const later = context(new Date(Date.parse(before.createdAt) + 60 * 60_000));
  for (const wanted of [{}, { subject: 'Another' }] as TicketChange[]) {
    const changed = changeTicket(before, wanted, later);
    expect(changed.entries).toEqual([]);
    expect(ticketEvents(changed, { bulkId: 'b1' })[0]).toMatchObject({
      kind: 'ticket_updated',
      data: { change: 'sla_breached', target: 'firstResponse', breachedAt: due, bulkId: 'b1' },
    });
    const again = changeTicket(changed.after, {}, later);
    expect(again.after).toBe(changed.after);
  }
});

test('no response or event contains the number of internal comments or the SLA clock', async () => {
  const globex = await tenant();
  const ticket = await newTicketOf(globex.admin, { priority: 'urgent' });
  const params = { ticketId: ticket.uniqueId };
  const changed = await globex.admin.ok(updateTicket, { params, body: { status: 'resolved' } });
  const shown = [ticket, changed, await globex.admin.ok(readTicketEndpoint, { params })];
  const events = (await storedEvents(globex.accountId)).filter(({ kind }) =>
    String(kind).startsWith('ticket'),
  );
  expect(events.length).toBeGreaterThan(2);
  for (const one of [...shown, ...events])
    expect(JSON.stringify(one)).not.toMatch(/"(clock|countedTo|standing|entries|policy|RiskAt|commentCount)/);
  for (const one of events) expect(JSON.stringify(one)).not.toContain('internalNoteCount');
  expect(createTicket.contract.response).not.toHaveProperty('properties.clock');
});
