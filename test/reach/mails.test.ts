import { expect, test } from 'vitest';
import moveMail from '../../functions/mails/move-mail.ts';
import quarantineMail from '../../functions/mails/quarantine-mail.ts';
import readMail from '../../functions/mails/read-mail.ts';
import deleteTicket from '../../functions/tickets/delete-ticket.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import { addressOf, received } from '../correspondence/incoming-mail.ts';
import { member } from '../harness/member.ts';
import { tenant } from '../harness/tenant.ts';
import { newTicketOf } from '../tickets/new-tickets.ts';

const acme = await tenant();
const { admin, accountId } = acme;
const inbound = await addressOf(accountId);
const permissions = ['readMails', 'writeMails', 'readOwnTickets', 'writeOwnTickets'] as const;

test('a mail of a deleted ticket is moved only by callers who reach all tickets', async () => {
  const agent = await member(acme, [...permissions]);
  const mail = await received(accountId, { to: inbound, body: 'The secret terminal.' });
  await admin.ok(deleteTicket, { params: { ticketId: String(mail.recordId) } });
  const own = await newTicketOf(agent.client);
  const params = { mailId: mail.id };
  const body = { recordType: 'ticket' as const, recordId: String(own.id) };
  for (const [endpoint, sent] of [
    [readMail, { params }],
    [moveMail, { params, body }],
    [quarantineMail, { params }],
  ] as const)
    expect((await agent.client.call(endpoint as typeof moveMail, sent as never)).status).toBe(404);
  expect((await admin.call(moveMail, { params, body })).status).toBe(200);
});

test('the stored response of a move is replayed only while the caller reaches the record of the mail', async () => {
  for (const held of [permissions, ['readOwnTickets', 'writeOwnTickets'] as const]) {
    const agent = await member(acme, [...held]);
    const assignedTo = String(agent.user.id);
    const mail = await received(accountId, { to: inbound, body: 'The terminal.' });
    const from = { params: { ticketId: String(mail.recordId) } };
    await admin.ok(updateTicket, { ...from, body: { assignedTo } });
    const to = await newTicketOf(agent.client);
    const sent = {
      params: { mailId: mail.id },
      headers: { 'idempotency-key': `move ${mail.id}` },
      body: { recordType: 'ticket' as const, recordId: String(to.id) },
    };
    const move = () => agent.client.call(moveMail, sent);
    expect((await move()).status).toBe(200);
    expect((await move()).headers).toHaveProperty('idempotency-replayed');
    const somebody = String((await member(acme)).user.id);
    await admin.ok(updateTicket, { params: { ticketId: String(to.id) }, body: { assignedTo: somebody } });
    expect((await agent.client.call(readMail, { params: sent.params })).status).toBe(404);
    expect((await move()).status).toBe(404);
  }
});
