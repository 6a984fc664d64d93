import { expect, onTestFinished, test, vi } from 'vitest';
import linkRawMail from '../../functions/mails/link-raw-mail.ts';
import releaseMail from '../../functions/mails/release-mail.ts';
import listTicketComments from '../../functions/tickets/list-ticket-comments.ts';
import listTicketDocuments from '../../functions/tickets/list-ticket-documents.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import {
  countMail,
  mostMailsOfAccount,
  mostMailsOfSender,
  mostNewRecords,
} from '../../shared/correspondence/incoming/mail-limits.ts';
import { parserLimits } from '../../shared/correspondence/incoming/parse-mail.ts';
import { mails } from '../../shared/correspondence/mails/store.ts';
import { newMessageId, replyAddress } from '../../shared/correspondence/threads/thread-token.ts';
import { maxFilesPerKey } from '../../shared/documents/rules.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { derivedId } from '../../shared/id/mint.ts';
import { inBatches } from '../../shared/table/in-batches.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';
import {
  addressOf,
  deliverMessages,
  receive,
  received,
  recordOf,
  storeMail,
  withFiles,
} from './incoming-mail.ts';

/** An account with a mail address, and a ticket that a mail of Ada opened. */
async function withTicket() {
  const acme = await tenant();
  const { accountId: account, directKey } = acme;
  const inbound = await addressOf(account);
  const first = await received(account, { to: inbound });
  const ticketId = Number(first.recordId);
  const params = { ticketId: `${ticketId}` };
  const thread = { recordType: 'ticket' as const, recordId: String(ticketId) };
  const reply = await replyAddress(account, thread, 'ada@example.com');
  const read = async () => {
    const { data: tickets } = await directKey.ok(listTickets, {});
    const ticket = tickets.find(({ id }) => id === ticketId);
    if (!ticket) throw new Error('The ticket does not exist.');
    return ticket;
  };
  const uniqueId = (await read()).uniqueId;
  const comments = async () =>
    (await directKey.ok(listTicketComments, { params: { ticketId: uniqueId } })).data.map(
      ({ body, visibility, author, authorType }) => ({ body, visibility, author, authorType }),
    );
  return { acme, account, inbound, first, thread, reply, read, uniqueId, comments, params };
}

test('a mail to an address opens a ticket with the text, the sender and the time of its receipt', async () => {
  const { account, inbound, acme } = { ...(await withTicket()) };
  const receivedAt = new Date(clock.now().getTime() - 120_000);
  const mail = await received(account, {
    to: inbound,
    receivedAt,
    headers: { Subject: '=?utf-8?q?Kein_Beleg_f=C3=BCr_TKT-000001?=' },
    body: 'Hello,\r\nno receipt.\r\n-- \r\nAda',
  });
  expect(mail).toMatchObject({ state: 'received', recordType: 'ticket', why: { code: 'new_record' } });
  const { data } = await acme.directKey.ok(listTickets, {});
  const ticket = data.find(({ id }) => String(id) === mail.recordId);
  expect(ticket).toMatchObject({
    subject: 'Kein Beleg für TKT-000001',
    source: 'email',
    requesterName: 'Ada Byron',
    requesterEmail: 'ada@example.com',
    createdAt: receivedAt.toISOString(),
  });
});

test('a reply of the requester becomes a public comment that resumes the SLA clock at the time of its receipt', async () => {
  const { acme, account, reply, uniqueId, comments } = await withTicket();
  await acme.directKey.ok(updateTicket, {
    params: { ticketId: uniqueId },
    body: { status: 'waiting_customer' },
  });
  clock.advance(3_600_000);
  const receivedAt = clock.now();
  clock.advance(600_000);
  const body = 'It prints again.\r\n\r\nOn 1 Dec 2026, Support wrote:\r\n> Which lamp is on?';
  const mail = await received(account, { to: reply, receivedAt, body });
  expect(mail.why).toEqual({ code: 'reply_address' });
  expect(mail.text).toContain('Which lamp is on?');
  expect(await comments()).toEqual([
    { body: 'It prints again.', visibility: 'public', author: 'ada@example.com', authorType: 'customer' },
  ]);
  const ticket = await acme.directKey.ok(readTicket, { params: { ticketId: uniqueId } });
  expect(ticket).toMatchObject({ status: 'open', lastCustomerResponseAt: receivedAt.toISOString() });
  clock.reset();
});

test('five deliveries of one notification add one comment', async () => {
  const { account, reply, comments } = await withTicket();
  const message = await storeMail({ to: reply });
  await deliverMessages([message]);
  await deliverMessages([message, message, message, message]);
  expect(await comments()).toHaveLength(1);
  expect(await mails.newest(account, 10)).toHaveLength(2);
});

test('five deliveries at the same time open one ticket', async () => {
  const acme = await tenant();
  const message = await storeMail({ to: await addressOf(acme.accountId) });
  await deliverMessages(Array.from({ length: 5 }, () => message));
  expect((await acme.directKey.ok(listTickets, {})).data).toHaveLength(1);
});

test('a reply with References of our mail is added to the thread, also at the public address', async () => {
  const { account, inbound, thread, comments } = await withTicket();
  const id = await newMessageId(account, thread, 'ada@example.com', 17);
  const mail = await received(account, { to: inbound, headers: { References: `<other@example.com> ${id}` } });
  expect(mail).toMatchObject({ recordId: thread.recordId, why: { code: 'thread_reference' } });
  expect(await comments()).toHaveLength(1);
});

test('allowed attachments become documents, and the record says why others do not', async () => {
  const { acme, account, inbound, reply, uniqueId } = await withTicket();
  const mail = withFiles('See the files.', [
    {},
    { name: 'fake.pdf', content: 'MZ program' },
    { name: 'winmail.dat', type: 'application/ms-tnef', content: 'x' },
  ]);
  for (const to of [inbound, reply]) {
    const { attachments, recordId } = await received(account, { ...mail, to });
    expect(attachments).toEqual([
      { fileName: 'scan.pdf', contentType: 'application/pdf', size: 13, documentId: expect.any(Number) },
      {
        fileName: 'fake.pdf',
        contentType: 'application/pdf',
        size: 10,
        leftOut: 'The file does not have the stated type.',
      },
      {
        fileName: 'winmail.dat',
        contentType: 'application/ms-tnef',
        size: 1,
        leftOut: 'The type of the file is not allowed.',
      },
    ]);
    const { data: tickets } = await acme.directKey.ok(listTickets, {});
    const ticket = tickets.find(({ id }) => String(id) === recordId);
    expect(ticket?.attachmentCount).toBe(1);
    const params = { ticketId: ticket?.uniqueId ?? uniqueId };
    const { data: documents } = await acme.directKey.ok(listTicketDocuments, { params });
    expect(documents).toMatchObject([{ name: 'scan.pdf', size: 13 }]);
  }
  await drain();
});

test('ten attachments of a mail become ten documents, also if hashes of their numbers are equal', async () => {
  const { acme, account, reply, params } = await withTicket();
  const receivedAt = clock.now();
  const idsOf = (seeds: readonly string[]) => seeds.map((seed) => derivedId(receivedAt, seed));
  const numbers = Array.from({ length: maxFilesPerKey }, (_, n) => n);
  // About one mail of 90 has attachments with such hashes.
  const id = Array.from({ length: 5_000 }, (_, n) => `mail${n}`).find((name) => {
    const [mailId] = idsOf([`${account} ${name} 0`]);
    return new Set(idsOf(numbers.map((n) => `${mailId} ${n}`))).size < maxFilesPerKey;
  });
  const files = withFiles(
    'See the files.',
    numbers.map((n) => ({ name: `${n}.pdf` })),
  );
  await received(account, { to: reply, ...files, receivedAt, id: id ?? expect.fail() });
  const { data } = await acme.directKey.ok(listTicketDocuments, { params });
  expect(data.map(({ name }) => name).sort()).toEqual(numbers.map((n) => `${n}.pdf`));
});

test('an out-of-office reply is an internal comment and leaves the status', async () => {
  const { acme, account, reply, uniqueId, comments } = await withTicket();
  await acme.directKey.ok(updateTicket, {
    params: { ticketId: uniqueId },
    body: { status: 'waiting_customer' },
  });
  const mail = await received(account, {
    to: reply,
    headers: { 'Auto-Submitted': 'auto-replied' },
    body: 'I am away.',
  });
  expect(mail).toMatchObject({ state: 'received', automatic: true });
  expect(await comments()).toMatchObject([{ visibility: 'internal' }]);
  const ticket = await acme.directKey.ok(readTicket, { params: { ticketId: uniqueId } });
  expect(ticket.status).toBe('waiting_customer');
  expect(ticket.lastCustomerResponseAt).toBeUndefined();
});

test('a mail to an address for leads opens a lead', async () => {
  const acme = await tenant();
  const inbound = await addressOf(acme.accountId, { address: 'sales@acme.test', purpose: 'leads' });
  const mail = await received(acme.accountId, { to: inbound });
  expect(mail).toMatchObject({ recordType: 'lead', state: 'received' });
});

test('a mail to an unknown address belongs to no account', async () => {
  const { account } = await withTicket();
  expect(await receive(account, { to: 'nobody@mail.localhost' })).toBeUndefined();
});

test('a mail with a blank plain text and HTML has the text of the HTML', async () => {
  const { account, inbound } = await withTicket();
  const parts = ['text/plain', 'text/html'].map((type) => `--x\r\nContent-Type: ${type}\r\n\r\n`);
  const mail = await received(account, {
    to: inbound,
    headers: { 'Content-Type': 'multipart/alternative; boundary=x' },
    body: `${parts[0]} \r\n${parts[1]}<p>The lamp is red.</p>\r\n--x--`,
  });
  expect(mail).toMatchObject({ text: 'The lamp is red.', leftOut: ['The formatting of the text.'] });
});

test('the test messages of SES about a new topic and a new receipt rule are ignored without a log line', async () => {
  const log = vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  const [messageId, recipients] = ['AMAZON_SES_SETUP_NOTIFICATION', ['recipient@example.com']];
  const notification = await storeMail({ to: recipients, id: messageId });
  const { receipt, ...rest } = JSON.parse(notification) as { receipt: object };
  await deliverMessages([
    'Successfully validated SNS topic for Amazon SES event publishing.',
    notification,
    JSON.stringify({ ...rest, receipt: { ...receipt, action: { type: 'S3' } } }),
  ]);
  const lines = log.mock.calls.map(([line]) => String(line));
  log.mockRestore();
  expect(lines).toEqual([]);
});

test('a mail of a person that contains a delivery report opens a ticket, and is not a report', async () => {
  const { account, inbound } = await withTicket();
  const part = (type: string, text: string) => `--x\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`;
  const status =
    'Reporting-MTA: dns; mx.example.com\r\n\r\nFinal-Recipient: rfc822; a@b.example\r\nAction: failed';
  const mail = await received(account, {
    to: inbound,
    from: 'Bob <bob@example.com>',
    headers: { 'Content-Type': 'multipart/mixed; boundary=x' },
    body: `${part('text/plain', 'Your mail came back to me:')}${part('message/delivery-status', status)}--x--`,
  });
  expect(mail).toMatchObject({ state: 'received', why: { code: 'new_record' }, recordType: 'ticket' });
});

test('a mail to two accounts reaches the second one even if the first one fails', async () => {
  const [acme, other] = [await tenant(), await tenant()];
  const to = [await addressOf(acme.accountId), await addressOf(other.accountId)];
  const mail = { to, id: 'sent-to-two-accounts', receivedAt: clock.now() };
  const message = await storeMail(mail);
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const stop = watchWire({
    fault: ({ operation, input }) =>
      operation === 'TransactWriteItems' && JSON.stringify(input).includes(`${acme.accountId}#`)
        ? { error: 'InternalServerError', status: 500 }
        : undefined,
  });
  onTestFinished(() => {
    stop();
    vi.restoreAllMocks();
  });
  await expect(deliverMessages([message])).rejects.toThrow('could not handle');
  expect(await recordOf(other.accountId, mail)).toMatchObject({ state: 'received' });
  stop();
  await deliverMessages([message]);
  expect(await recordOf(acme.accountId, mail)).toMatchObject({ state: 'received' });
  expect((await other.directKey.ok(listTickets, {})).data).toHaveLength(1);
});

test('a person who writes as postmaster opens a ticket', async () => {
  const { account, inbound } = await withTicket();
  const from = 'Pat Master <postmaster@example.com>';
  expect(await received(account, { to: inbound, from })).toMatchObject({
    ...{ state: 'received', why: { code: 'new_record' }, recordType: 'ticket', automatic: false },
  });
  // Some old mail systems send bounces with their own address.
  expect(await received(account, { to: inbound, from: 'MAILER-DAEMON@example.com' })).toMatchObject({
    ...{ state: 'quarantined', why: { code: 'automatic' } },
  });
});

test('a mail above 30 MB is quarantined with its header, its raw mail is kept, and the record says why', async () => {
  const { acme, account, inbound, reply, comments } = await withTicket();
  const header = 'From: Bob <bob@example.com>\r\nSubject: Large\r\nMessage-ID: <large@example.com>\r\n\r\n';
  const raw = Buffer.alloc(parserLimits.raw + 1, 'a line of text\r\n');
  raw.write(header);
  const mail = await received(account, { to: inbound, from: 'Bob <bob@example.com>', raw });
  expect(mail).toMatchObject({
    ...{ state: 'quarantined', why: { code: 'unreadable' }, subject: 'Large', text: '' },
    leftOut: [expect.stringContaining('larger than 30 MB')],
  });
  const { url } = await acme.directKey.ok(linkRawMail, { params: { mailId: mail.id } });
  const { headers } = await fetch(url, { headers: { range: 'bytes=0-9' } });
  expect(headers.get('content-range')).toBe(`bytes 0-9/${raw.byteLength}`);
  // In a thread, the mail becomes a comment that says where the text is.
  raw.write(header.replaceAll('bob', 'ada'));
  expect(await received(account, { to: reply, raw })).toMatchObject({ state: 'received' });
  const unread =
    '(The mail is too large to be read: it is larger than 30 MB. Its text and attachments are only in the raw mail, which is kept for 30 days.)';
  expect(await comments()).toMatchObject([{ body: unread }]);
  // The same text is in a ticket that the release of the first mail opens.
  await acme.directKey.ok(releaseMail, { params: { mailId: mail.id } });
  const { data } = await acme.directKey.ok(listTickets, { query: { search: 'Large' } });
  const opened = await acme.directKey.ok(readTicket, { params: { ticketId: data[0]?.uniqueId ?? '' } });
  expect(opened.description).toBe(unread);
});

/** Sets the clock to the start of an hour, because limits count the mails of an hour. */
function startHour(): void {
  onTestFinished(clock.reset);
  clock.advance(3_600_000 - (clock.now().getTime() % 3_600_000));
}

test('the 21st mail of a sender in an hour is quarantined, also at a reply address, and its release adds it to the thread', async () => {
  startHour();
  const { acme, account, reply, thread, comments, inbound } = await withTicket();
  for (let n = 2; n <= mostMailsOfSender; n++)
    expect(await received(account, { to: reply, body: `Mail ${n}` })).toMatchObject({ state: 'received' });
  for (const to of [reply, inbound])
    expect(await received(account, { to })).toMatchObject({
      ...{ state: 'quarantined', why: { code: 'sender_limit' } },
    });
  const last = await received(account, { to: reply, body: 'The last one' });
  expect(last).toMatchObject({ state: 'quarantined', ...thread });
  expect(await received(account, { to: reply, from: 'Bob <bob@example.com>' })).toMatchObject({
    state: 'held',
  });
  expect(await comments()).toHaveLength(mostMailsOfSender);
  await acme.directKey.ok(releaseMail, { params: { mailId: last.id } });
  expect((await comments()).filter(({ body }) => body === 'The last one')).toMatchObject([
    { visibility: 'public' },
  ]);
  clock.advance(3_600_000);
  expect(await received(account, { to: reply })).toMatchObject({ state: 'received' });
});

/** Counts mails of different senders. Returns what the counters say about the last one. */
async function countOthers(account: AccountId, count: number) {
  const names = Array.from({ length: count }, (_, n) => `n${n}`);
  const counted = (name: string) =>
    countMail({ account, sender: `${name}@evil.test`, name }, 'open', clock.now());
  await inBatches(20, names.slice(1), counted);
  return counted('n0');
}

test('while the circuit breaker of an account is open, mails of others are quarantined, and replies are accepted', async () => {
  startHour();
  const { account, reply, inbound } = await withTicket();
  const all = { sender: true, newRecords: true, account: true };
  expect(await countOthers(account, mostMailsOfAccount - 1)).toEqual(all);
  const from = 'Bob <bob@example.com>';
  for (const to of [inbound, reply])
    expect(await received(account, { to, from })).toMatchObject({
      ...{ state: 'quarantined', why: { code: 'account_limit' } },
    });
  expect(await received(account, { to: reply })).toMatchObject({ state: 'received' });
  clock.advance(3_600_000);
  expect(await received(account, { to: reply, from })).toMatchObject({ state: 'held' });
});

test('a repeated mail, and mails above the limit of their sender, do not count again for the circuit breaker', async () => {
  startHour();
  const { accountId: account } = await tenant();
  const count = (sender: string, name: string) => countMail({ account, sender, name }, 'open', clock.now());
  for (let n = 0; n < 5; n++) await count('ada@example.com', 'repeated');
  for (let n = 0; n < 2 * mostMailsOfSender; n++) await count('mallory@evil.test', `${n}`);
  expect(await count('mallory@evil.test', 'last')).toMatchObject({ sender: false, account: true });
  // Ada's mail counts once, and the first five of Mallory.
  expect(await countOthers(account, mostMailsOfAccount - 1 - mostNewRecords)).toMatchObject({
    account: true,
  });
  expect(await count('bob@example.com', 'one more')).toMatchObject({ account: false });
  expect(await count('ada@example.com', 'repeated')).toMatchObject({ account: false });
});
