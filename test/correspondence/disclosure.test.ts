import { expect, onTestFinished, test, vi } from 'vitest';
import deleteMailAddress from '../../functions/mail-addresses/delete-mail-address.ts';
import listMails from '../../functions/mails/list-mails.ts';
import moveMail from '../../functions/mails/move-mail.ts';
import quarantineMail from '../../functions/mails/quarantine-mail.ts';
import releaseMail from '../../functions/mails/release-mail.ts';
import listTicketComments from '../../functions/tickets/list-ticket-comments.ts';
import listTicketMails from '../../functions/tickets/list-ticket-mails.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import { mailAddresses } from '../../shared/correspondence/addresses/store.ts';
import { maxParticipants } from '../../shared/correspondence/threads/schema.ts';
import { threads } from '../../shared/correspondence/threads/store.ts';
import { newMessageId, replyAddress } from '../../shared/correspondence/threads/thread-token.ts';
import { transact } from '../../shared/table/transact.ts';
import { clock } from '../harness/clock.ts';
import { member } from '../harness/member.ts';
import { storedHappenings } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { addressOf, receive, received } from './incoming-mail.ts';

/** An account with a ticket that a mail of Ada opened, and the reply address that Ada knows. */
async function withThread() {
  const acme = await tenant();
  const { accountId: account, directKey } = acme;
  const inbound = await addressOf(account);
  const first = await received(account, { to: inbound });
  const thread = { recordType: 'ticket', recordId: first.recordId ?? '' } as const;
  const reply = await replyAddress(account, thread, 'ada@example.com');
  const tickets = async () => (await directKey.ok(listTickets, { query: { pageSize: 100 } })).data;
  const [{ uniqueId = '', ticketNumber = '' } = {}] = await tickets();
  const comments = async (ticketId = uniqueId) =>
    (await directKey.ok(listTicketComments, { params: { ticketId } })).data.map(({ body, visibility }) => ({
      body,
      visibility,
    }));
  return { acme, account, inbound, thread, reply, tickets, comments, ticketNumber, uniqueId };
}

const mallory = { from: 'Mallory <mallory@evil.test>', body: 'Tell me everything.' };

test('a ticket number in the subject of a stranger opens another ticket', async () => {
  const { account, inbound, tickets, comments, ticketNumber, thread } = await withThread();
  const mail = await received(account, {
    ...mallory,
    to: inbound,
    headers: { Subject: `Re: ${ticketNumber}` },
  });
  expect(mail.recordId).not.toBe(thread.recordId);
  expect(await tickets()).toHaveLength(2);
  expect(await comments()).toEqual([]);
});

test('a reply address that another sender uses, and a new recipient of a reply to all, are held until staff admit them', async () => {
  const { acme, account, reply, comments } = await withThread();
  const held = await received(account, { ...mallory, to: reply });
  expect(held).toMatchObject({ state: 'held', why: { code: 'other_sender' } });
  expect(await comments()).toEqual([{ body: 'Tell me everything.', visibility: 'internal' }]);
  const params = { mailId: held.id };
  const reader = await member(acme, ['readTickets', 'writeTickets']);
  expect((await reader.client.call(releaseMail, { params })).status).toBe(404);
  expect(await acme.directKey.ok(releaseMail, { params })).toMatchObject({ state: 'received' });
  expect(await comments()).toEqual([{ body: 'Tell me everything.', visibility: 'public' }]);
  const next = await received(account, { ...mallory, to: reply, body: 'Thank you.' });
  expect(next).toMatchObject({ state: 'received', why: { code: 'reply_address' } });
  expect((await acme.directKey.call(releaseMail, { params })).status).toBe(400);
});

test('a person whose program writes the domain in Unicode or in Punycode is the same sender', async () => {
  const acme = await tenant();
  const { accountId: account } = acme;
  const kim = (domain: string) => `Kim <kim@${domain}>`;
  const first = await received(account, { to: await addressOf(account), from: kim('xn--mller-kva.example') });
  const thread = { recordType: 'ticket', recordId: first.recordId ?? '' } as const;
  const reply = await replyAddress(account, thread, 'kim@xn--mller-kva.example');
  expect(await received(account, { to: reply, from: kim('Müller.example') })).toMatchObject({
    state: 'received',
    why: { code: 'reply_address' },
  });
});

test('a recipient cannot write in the name of the requester if the domain of the requester forbids it', async () => {
  const { acme, account, thread, comments } = await withThread();
  const forged = {
    to: await replyAddress(account, thread, 'mallory@evil.test'),
    body: 'Please pay to this account.',
    verdicts: { dmarc: 'FAIL', dmarcPolicy: 'quarantine' },
  };
  const held = await received(account, forged);
  expect(held).toMatchObject({
    ...{ state: 'held', from: { address: 'ada@example.com' } },
    why: { code: 'unauthenticated', detail: 'DMARC failed, and the policy of the domain is quarantine.' },
  });
  expect(await comments()).toEqual([{ body: 'Please pay to this account.', visibility: 'internal' }]);
  const params = { mailId: held.id };
  expect(await acme.directKey.ok(releaseMail, { params })).toMatchObject({ state: 'received' });
  // A domain with the policy `none` only observes.
  const verdicts = { dmarc: 'FAIL', dmarcPolicy: 'none' };
  expect(await received(account, { ...forged, verdicts })).toMatchObject({ state: 'received' });
});

test('a reply to all with a new recipient admits neither the recipient nor the mails that this person sends', async () => {
  const { acme, account, reply, comments, thread } = await withThread();
  const to = 'To: support@acme.test, Bob <bob@example.com>';
  const raw = [
    ...['From: Ada <ada@example.com>', to, 'Cc: New <new@example.com>', 'Subject: Re: The terminal'],
    ...['Message-ID: <to-all@example.com>', '', 'Bob and New, please help.'],
  ].join('\r\n');
  expect(await received(account, { to: reply, raw })).toMatchObject({
    state: 'received',
    cc: [{ address: 'new@example.com' }],
  });
  // The new recipient also replies to all: to the reply address of Ada, with References of the thread.
  const headers = { 'In-Reply-To': '<to-all@example.com>', References: '<to-all@example.com>' };
  for (const from of ['New <new@example.com>', 'bob@example.com'])
    expect(await received(account, { to: reply, from, headers, body: `From ${from}` })).toMatchObject({
      ...{ state: 'held', why: { code: 'other_sender' }, ...thread },
    });
  expect((await comments()).map(({ visibility }) => visibility).sort()).toEqual([
    'internal',
    'internal',
    'public',
  ]);
  const stored = await threads.find(account, thread);
  expect(stored?.participants).toEqual([]);
  const reader = await member(acme, ['readTickets']);
  const { data } = await reader.client.ok(listTicketMails, { params: { ticketId: thread.recordId } });
  expect(data.map(({ fromAddress }) => fromAddress)).toEqual(['ada@example.com', 'ada@example.com']);
});

test('a mail to the reply address of another account changes only that account', async () => {
  const [acme, other] = [await withThread(), await withThread()];
  // Ada takes part in a thread of both accounts. Her program adds the ids of the one thread to a reply in the other one.
  const id = await newMessageId(acme.account, acme.thread, 'ada@example.com', 1);
  const mail = { headers: { 'In-Reply-To': id, References: id }, body: 'For the other company.' };
  expect(await received(other.account, { ...mail, to: other.reply })).toMatchObject(other.thread);
  expect(await acme.comments()).toEqual([]);
  expect(await other.comments()).toEqual([{ body: 'For the other company.', visibility: 'public' }]);
  // A mail to an address of the one and a reply address of the other is a mail of both, each in its own thread.
  const both = await received(acme.account, { to: [acme.inbound, other.reply], body: 'For both.' });
  expect(both.recordId).not.toBe(acme.thread.recordId);
  expect(await acme.comments()).toEqual([]);
  expect(await other.comments()).toContainEqual({ body: 'For both.', visibility: 'public' });
  expect(await received(other.account, { ...mallory, to: other.reply })).toMatchObject({ state: 'held' });
  expect(await receive(acme.account, { ...mallory, to: other.reply })).toBeUndefined();
});

test('one changed bit of the MAC makes a reply address invalid', async () => {
  const { account, reply, comments } = await withThread();
  const at = reply.indexOf('@') - 3;
  const changed = `${reply.slice(0, at)}${reply[at] === 'a' ? 'b' : 'a'}${reply.slice(at + 1)}`;
  expect(await receive(account, { to: changed })).toBeUndefined();
  expect(await comments()).toEqual([]);
});

test('a mail to an inbound address with a wrong secret reaches no account and fills no quarantine', async () => {
  const { acme, account, inbound, tickets } = await withThread();
  const at = inbound.indexOf('@') - 3;
  const wrong = `${inbound.slice(0, at)}${inbound[at] === 'a' ? 'b' : 'a'}${inbound.slice(at + 1)}`;
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => error.mockRestore());
  expect(await receive(account, { to: wrong })).toBeUndefined();
  expect(await receive(account, { to: wrong, verdicts: { spam: 'FAIL' } })).toBeUndefined();
  expect(await tickets()).toHaveLength(1);
  expect(await acme.directKey.ok(listMails, {})).toMatchObject({ totalCount: 1 });
  // A mail with both addresses is one mail to the right one.
  expect(await received(account, { to: [wrong, inbound] })).toMatchObject({ state: 'received' });
});

test('a mail to the inbound address of a deleted mail address is quarantined', async () => {
  const { acme, account, inbound } = await withThread();
  const [{ id = 0 } = {}] = await mailAddresses.all(account);
  await acme.admin.ok(deleteMailAddress, { params: { id } });
  expect(await received(account, { to: inbound })).toMatchObject({
    ...{ state: 'quarantined', why: { code: 'missing_record' } },
  });
});

test('a reference to a thread of another account opens a ticket of the own account', async () => {
  const [acme, other] = [await withThread(), await withThread()];
  const id = await newMessageId(acme.account, acme.thread, 'ada@example.com', 1);
  await received(other.account, { to: other.inbound, headers: { 'In-Reply-To': id } });
  expect(await acme.comments()).toEqual([]);
  expect(await other.tickets()).toHaveLength(2);
});

test('50 people who reply to one newsletter get exactly 50 threads of their own', async () => {
  const { account, inbound, tickets } = await withThread();
  const people = Array.from({ length: 50 }, (_, n) => `reader${n}@example.com`);
  const newsletter = '<newsletter@acme.test>';
  const threadsOf: string[] = [];
  for (const [n, from] of people.entries()) {
    // Some mail programs add only one of the two headers.
    const headers = {
      ...{ Subject: 'Re: News', 'Message-ID': `<${n}@example.com>` },
      ...(n % 3 !== 1 && { 'In-Reply-To': newsletter }),
      ...(n % 3 !== 2 && { References: newsletter }),
    };
    const opened = await received(account, { to: inbound, from, headers, body: `From ${from}` });
    expect(opened).toMatchObject({ state: 'received', why: { code: 'new_record' } });
    threadsOf.push(opened.recordId ?? '');
  }
  expect(new Set(threadsOf).size).toBe(50);
  const byId = new Map((await tickets()).map((one) => [String(one.id), one]));
  expect(threadsOf.map((id) => byId.get(id)?.requesterEmail)).toEqual(people);
  // A second mail of each person, to the own reply address, joins the own thread.
  for (const [n, from] of people.entries()) {
    const thread = { recordType: 'ticket' as const, recordId: threadsOf[n] ?? '' };
    const to = await replyAddress(account, thread, from);
    expect(await received(account, { to, from })).toMatchObject({ recordId: threadsOf[n] });
  }
});

test('a released mail of a thread with 50 people is added, but its sender is not admitted, and the event says so', async () => {
  const { acme, account, thread, reply, comments } = await withThread();
  const stored = (await threads.find(account, thread)) ?? expect.fail();
  const since = clock.now().toISOString();
  const people = Array.from({ length: maxParticipants - 1 }, (_, n) => ({
    address: `p${n}@example.com`,
    since,
    by: 'system',
  }));
  await transact(threads.put(stored, { ...stored, participants: people }), Date.now() + 10_000);
  const release = async (from: string) => {
    const held = await received(account, { to: reply, from, body: `From ${from}` });
    expect(held).toMatchObject({ state: 'held' });
    await acme.directKey.ok(releaseMail, { params: { mailId: held.id } });
    const released = await storedHappenings(account, 'mail_released');
    return released.filter(({ recordId }) => recordId === held.id);
  };
  expect(await release('bob@example.com')).toMatchObject([{ detail: { admitted: true } }]);
  expect(await release('eve@example.com')).toMatchObject([{ detail: { admitted: false } }]);
  expect(await comments()).toContainEqual({ body: 'From eve@example.com', visibility: 'public' });
  expect(await received(account, { to: reply, from: 'eve@example.com' })).toMatchObject({ state: 'held' });
});

test('a moved mail leaves its ticket, and its sender does not take part in the other one', async () => {
  const { acme, account, inbound, reply, comments, uniqueId } = await withThread();
  const mail = await received(account, { to: reply, body: 'About the other order.' });
  const second = await received(account, { ...mallory, to: inbound });
  const target = { recordType: 'ticket' as const, recordId: second.recordId ?? '' };
  const moved = await acme.directKey.ok(moveMail, { params: { mailId: mail.id }, body: target });
  expect(moved).toMatchObject({ ...target, why: { code: 'moved' } });
  expect(await comments(uniqueId)).toEqual([]);
  const otherReply = await replyAddress(account, target, 'mallory@evil.test');
  expect(await received(account, { to: otherReply })).toMatchObject({ state: 'held' });
});

test('a quarantined mail is removed from its ticket until it is released', async () => {
  const { acme, account, reply, comments } = await withThread();
  const mail = await received(account, { to: reply, body: 'Hello again' });
  const params = { mailId: mail.id };
  expect(await acme.directKey.ok(quarantineMail, { params })).toMatchObject({ state: 'quarantined' });
  expect(await comments()).toEqual([]);
  await acme.directKey.ok(releaseMail, { params });
  expect(await comments()).toEqual([{ body: 'Hello again', visibility: 'public' }]);
});

test('a quarantined mail that opened its ticket leaves the ticket with its description', async () => {
  const { acme, account, inbound, tickets, uniqueId } = await withThread();
  const opening = await received(account, { ...mallory, to: inbound });
  const params = { mailId: opening.id };
  expect(await acme.directKey.ok(quarantineMail, { params })).toMatchObject({
    ...{ state: 'quarantined', recordId: opening.recordId },
  });
  const opened = (await tickets()).find(({ id }) => String(id) === opening.recordId) ?? expect.fail();
  const read = () => acme.directKey.ok(readTicket, { params: { ticketId: opened.uniqueId } });
  expect(await read()).toMatchObject({ description: mallory.body });
  await acme.directKey.ok(updateTicket, {
    params: { ticketId: opened.uniqueId },
    body: { description: 'Removed.' },
  });
  expect(await read()).toMatchObject({ description: 'Removed.' });
  expect(uniqueId).not.toBe(opened.uniqueId);
});

test('the sixth mail of an unknown sender in a day is quarantined, and opens a ticket when staff release it', async () => {
  const { acme, account, inbound, tickets } = await withThread();
  for (let n = 0; n < 4; n++) await received(account, { to: inbound });
  const sixth = await received(account, { to: inbound });
  expect(sixth).toMatchObject({ state: 'quarantined', why: { code: 'new_record_limit' } });
  await acme.directKey.ok(releaseMail, { params: { mailId: sixth.id } });
  expect(await tickets()).toHaveLength(6);
  expect(await received(account, { to: inbound })).toMatchObject({ state: 'received' });
});

test('bounces open no ticket and cause no mail', async () => {
  const { account, inbound, reply, tickets } = await withThread();
  const body = [
    '--r',
    'Content-Type: text/plain',
    '',
    'Your mail could not be delivered.',
    '--r',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.com',
    '',
    'Original-Recipient: rfc822; ada@example.com',
    'Final-Recipient: rfc822; box7@mx.example.com',
    'Action: failed',
    'Status: 4.4.7',
    '--r--',
  ].join('\r\n');
  for (const to of [inbound, reply])
    expect(
      await received(account, {
        to,
        from: 'MAILER-DAEMON@mx.example.com',
        envelopeSender: '',
        headers: { 'Content-Type': 'multipart/report; report-type=delivery-status; boundary=r' },
        body,
      }),
    ).toMatchObject({ state: 'report', why: { code: 'delivery_report' } });
  expect(await tickets()).toHaveLength(1);
});
