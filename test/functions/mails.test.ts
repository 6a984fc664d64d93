import { describe, expect, test } from 'vitest';
import listApplicationMails from '../../functions/applications/list-application-mails.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listLeadMails from '../../functions/leads/list-lead-mails.ts';
import linkRawMail from '../../functions/mails/link-raw-mail.ts';
import listMails from '../../functions/mails/list-mails.ts';
import quarantineMail from '../../functions/mails/quarantine-mail.ts';
import readMail from '../../functions/mails/read-mail.ts';
import releaseMail from '../../functions/mails/release-mail.ts';
import searchRecords from '../../functions/search/search-records.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import listTicketMails from '../../functions/tickets/list-ticket-mails.ts';
import { mails } from '../../shared/correspondence/mails/store.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { incomingMail, plantMail } from '../correspondence/planted-mails.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { storedEvents, storedHappenings } from '../harness/raw-table.ts';
import { type Client, tenant } from '../harness/tenant.ts';
import { ticketInput } from '../tickets/new-tickets.ts';

const acme = await tenant();
const { accountId } = acme;
const ticket = await acme.admin.ok(createTicket, { body: ticketInput });
const lead = await acme.admin.ok(createLead, {
  body: { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' },
});
const onTicket = { recordType: 'ticket', recordId: String(ticket.id) } as const;
const received = await plantMail(acme, onTicket);
const held = await plantMail(acme, { ...onTicket, state: 'held', why: { code: 'other_sender' } });
const quarantined = await plantMail(acme, { state: 'quarantined', why: { code: 'unauthenticated' } });
const ofLead = await plantMail(acme, { recordType: 'lead', recordId: String(lead.id) });
const heldOfLead = await plantMail(acme, { recordType: 'lead', recordId: String(lead.id), state: 'held' });
const all = { received, held, quarantined, ofLead, heldOfLead };
type Planted = keyof typeof all;

const readableBy = async ({ call }: Client): Promise<Planted[]> => {
  const names: Planted[] = [];
  for (const [name, { id }] of Object.entries(all)) {
    const { status, body } = await call(readMail, { params: { mailId: id } });
    const raw = await call(linkRawMail, { params: { mailId: id } });
    if (status === 404) expect(raw.status).toBe(404);
    else {
      expect(body).toMatchObject({ id });
      expect(raw.body).toMatchObject({ error: 'raw_mail_missing' });
      names.push(name as Planted);
    }
  }
  return names;
};

describe('a mail', () => {
  const readers: [Permission[], Planted[]][] = [
    [['readMails'], ['received', 'held', 'quarantined', 'ofLead', 'heldOfLead']],
    [['readTickets'], ['received']],
    [
      ['readTickets', 'readInternalComments'],
      ['received', 'held'],
    ],
    [['readLeads'], ['ofLead']],
    [
      ['readLeads', 'readInternalComments'],
      ['ofLead', 'heldOfLead'],
    ],
    [['readApplications'], []],
    [['readOwnTickets'], []],
  ];
  test.each(readers)('is read with %j only as that permission allows', async (permissions, expected) => {
    const { client } = await member(acme, permissions);
    expect(await readableBy(client)).toEqual(expected);
  });

  test('is read by the owner of its record', async () => {
    const { client, user } = await member(acme, ['readOwnTickets', 'readInternalComments']);
    const own = await acme.admin.ok(createTicket, { body: { ...ticketInput, assignedTo: String(user.id) } });
    const mail = await plantMail(acme, { recordType: 'ticket', recordId: String(own.id) });
    expect(await client.ok(readMail, { params: { mailId: mail.id } })).toMatchObject({ id: mail.id });
    expect(await client.ok(listTicketMails, { params: { ticketId: String(own.id) } })).toMatchObject({
      totalCount: 1,
    });
    const { status } = await client.call(listTicketMails, { params: { ticketId: String(ticket.id) } });
    expect(status).toBe(404);
  });

  test('of another account is not found', async () => {
    const other = await tenant();
    expect((await other.admin.call(readMail, { params: { mailId: received.id } })).status).toBe(404);
    expect(await other.admin.ok(listMails)).toMatchObject({ data: [], totalCount: 0 });
  });

  test('is shown without the key of its raw mail', async () => {
    const mail = await plantMail(acme, {
      rawKey: 'mail/secret-key',
      rawExpiresAt: '2099-01-01T00:00:00.000Z',
    });
    const shown = await acme.admin.ok(readMail, { params: { mailId: mail.id } });
    const { rawKey, ...rest } = mail;
    expect(shown).toEqual(rest);
    expect(JSON.stringify(await acme.admin.ok(listMails))).not.toContain('secret-key');
  });

  test('that was sent is stored once for an id of SES, and found by it', async () => {
    const sent = { direction: 'outgoing', providerId: 'ses-1' } as const;
    const mail = await plantMail(acme, sent);
    await expect(plantMail(acme, sent)).rejects.toThrow();
    expect(await mails.findByProviderId(mail.accountId, 'ses-1')).toEqual(mail);
    expect(await mails.findByProviderId(mail.accountId, 'ses-2')).toBeUndefined();
  });

  test('with the longest allowed parts is stored', async () => {
    const person = { address: `${'a'.repeat(64)}@${'b'.repeat(60)}.example.com`, name: 'é'.repeat(50) };
    const attachment = {
      fileName: 'f'.repeat(200),
      contentType: 'application/pdf',
      size: 1,
      leftOut: 'x'.repeat(100),
    };
    const mail = await plantMail(acme, {
      text: 'x'.repeat(100 * 1024),
      visibleText: 'x'.repeat(32 * 1024),
      to: Array.from({ length: 50 }, () => person),
      cc: Array.from({ length: 50 }, () => person),
      subject: 's'.repeat(998),
      references: Array.from({ length: 50 }, (_, n) => `<${n}${'r'.repeat(240)}>`),
      attachments: Array.from({ length: 100 }, () => attachment),
    });
    expect(await acme.admin.ok(readMail, { params: { mailId: mail.id } })).toMatchObject({ id: mail.id });
    expect(incomingMail(acme).id).not.toBe(mail.id);
  });
});

describe('the mails of a record', () => {
  const params = { ticketId: String(ticket.id) };
  test('are listed newest first; held mails need readInternalComments, and quarantined mails are not among them', async () => {
    const reader = await member(acme, ['readTickets']);
    const page = await reader.client.ok(listTicketMails, { params });
    expect(page).toMatchObject({ totalCount: 1, data: [{ id: received.id, preview: received.text }] });
    const internal = await member(acme, ['readTickets', 'readInternalComments']);
    const whole = await internal.client.ok(listTicketMails, { params });
    expect(whole).toMatchObject({ totalCount: 2, data: [{ id: held.id }, { id: received.id }] });
    const filtered = await internal.client.ok(listTicketMails, { params, query: { state: ['held'] } });
    expect(filtered.data.map(({ id }) => id)).toEqual([held.id]);
  });

  test('are listed for leads and applications, and an unknown record is not found', async () => {
    const page = await acme.admin.ok(listLeadMails, { params: { leadId: lead.id } });
    expect(page.data.map(({ id }) => id)).toEqual([heldOfLead.id, ofLead.id]);
    const unknown = { params: { applicationId: 'app_1' } };
    expect((await acme.admin.call(listApplicationMails, unknown)).status).toBe(404);
    expect((await acme.admin.call(listLeadMails, { params: { leadId: 7 } })).status).toBe(404);
  });
});

describe('all mails', () => {
  test('are filtered by undecided states immediately, with their number', async () => {
    const owner = await tenant();
    const mail = await plantMail(owner, { state: 'quarantined' });
    await plantMail(owner);
    const page = await owner.admin.ok(listMails, { query: { state: ['quarantined'] } });
    expect(page).toMatchObject({ totalCount: 1, data: [{ id: mail.id }] });
    const both = await owner.admin.ok(listMails, { query: { state: ['quarantined', 'received'] } });
    expect(both.totalCount).toBe(2);
  });

  test('are found by sender, subject and visible text, in the list and in the search of all records', async () => {
    const owner = await tenant();
    const mail = await plantMail(owner, {
      from: { address: 'Eve@Example.net' },
      subject: 'Zeppelin order',
      text: 'Quotation of secrets',
      visibleText: 'Marzipan please',
    });
    await plantMail(owner);
    await drain();
    const idsOf = async (query: object) =>
      (await owner.admin.ok(listMails, { query })).data.map(({ id }) => id);
    expect(await idsOf({ fromAddress: ['eve@example.net'] })).toEqual([mail.id]);
    expect(await idsOf({ search: 'zeppelin' })).toEqual([mail.id]);
    expect(await idsOf({ search: 'marzipan' })).toEqual([mail.id]);
    expect(await idsOf({ search: 'quotation' })).toEqual([]);
    const found = await owner.admin.ok(searchRecords, { query: { q: 'marzipan' } });
    expect(found.mails?.map(({ id }) => id)).toEqual([mail.id]);
    const reader = await member(owner, ['readTickets']);
    expect(await reader.client.ok(searchRecords, { query: { q: 'marzipan' } })).not.toHaveProperty('mails');
  });
});

test('events of held and quarantined mails omit the subject, and a ticket is their parent', async () => {
  const events = await storedEvents(accountId);
  const eventOf = ({ id }: { id: number }) =>
    events.find(({ data }) => (data as { recordId?: number }).recordId === id);
  expect(eventOf(received)).toMatchObject({
    subject: { parent: { type: 'ticket', id: ticket.id } },
    data: { happening: 'mail_received', detail: { subject: received.subject, from: 'Ada@Example.com' } },
  });
  for (const mail of [held, quarantined]) expect(JSON.stringify(eventOf(mail))).not.toContain('terminal');
  expect(eventOf(quarantined)?.subject).not.toHaveProperty('parent');
});

test('an error names the state that a mail must have to be released or quarantined', async () => {
  const sent = await plantMail(acme, { ...onTicket, direction: 'outgoing', state: 'sent' });
  const refusals = await Promise.all([
    acme.admin.call(releaseMail, { params: { mailId: received.id } }),
    acme.admin.call(quarantineMail, { params: { mailId: quarantined.id } }),
    acme.admin.call(releaseMail, { params: { mailId: sent.id } }),
  ]);
  expect(refusals.map(({ body }) => body)).toMatchObject(
    [
      'The mail must have the state held or quarantined, but it is received.',
      'The mail must have the state received or held, but it is quarantined.',
      'This request needs a mail from a customer.',
    ].map((message) => ({ error: 'mail_not_movable', message })),
  );
});

test('a raw mail is downloaded by a link until it expires after 30 days, and each link is an event', async () => {
  const day = 86_400_000;
  const rawExpiresAt = new Date(clock.now().getTime() + 30 * day).toISOString();
  const mail = await plantMail(acme, { ...onTicket, rawKey: 'mail/raw-1', rawExpiresAt });
  const params = { mailId: mail.id };
  const { url } = await acme.admin.ok(linkRawMail, { params });
  expect(new URL(url).pathname).toMatch(/\/mail\/raw-1$/);
  expect(await storedHappenings(accountId, 'mail_raw_requested')).toHaveLength(1);
  const expired = await plantMail(acme, { rawKey: 'mail/raw-2', rawExpiresAt: clock.now().toISOString() });
  const { body } = await acme.admin.call(linkRawMail, { params: { mailId: expired.id } });
  expect(body).toMatchObject({ error: 'raw_mail_missing' });
});
