import { describe, expect, onTestFinished, test, vi } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApplication from '../../functions/applications/create-application.ts';
import listApplicationMails from '../../functions/applications/list-application-mails.ts';
import sendApplicationMail from '../../functions/applications/send-application-mail.ts';
import createLead from '../../functions/leads/create-lead.ts';
import sendLeadMail from '../../functions/leads/send-lead-mail.ts';
import readMail from '../../functions/mails/read-mail.ts';
import completeTicketDocument from '../../functions/tickets/complete-ticket-document.ts';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import createTicketDocument from '../../functions/tickets/create-ticket-document.ts';
import listTicketComments from '../../functions/tickets/list-ticket-comments.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import sendTicketMail from '../../functions/tickets/send-ticket-mail.ts';
import { describedScan } from '../../infra/administration/upload-file.ts';
import { mailDomains } from '../../shared/correspondence/domains/store.ts';
import { sesMessageId } from '../../shared/correspondence/outgoing/references.ts';
import { newThread, withMessage } from '../../shared/correspondence/threads/schema.ts';
import { threads } from '../../shared/correspondence/threads/store.ts';
import { hashOfAddress, readToken } from '../../shared/correspondence/threads/thread-token.ts';
import { deleteObject } from '../../shared/documents/bucket.ts';
import { documentObject } from '../../shared/documents/object-keys.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { revise } from '../../shared/table/revise.ts';
import { transact } from '../../shared/table/transact.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { passTime } from '../harness/pass-time.ts';
import { storedHappenings } from '../harness/raw-table.ts';
import type { Tenant } from '../harness/tenant.ts';
import { asTest, type WireFault, watchWire } from '../harness/wire.ts';
import { withFile } from '../routes/uploaded-document.ts';
import { received } from './incoming-mail.ts';
import {
  acceptedMails,
  addAddress,
  headerOf,
  mailingTenant,
  readMessage,
  storedMails,
  ticketOf,
} from './outgoing-world.ts';

const sent = acceptedMails();
const minute = 60_000;

/** Lets SES respond to the next requests with these faults. Undefined: the request succeeds. */
function faultsOfSes(...faults: (WireFault | undefined)[]): void {
  onTestFinished(watchWire({ fault: ({ service }) => (service === 'ses' ? faults.shift() : undefined) }));
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  onTestFinished(() => {
    vi.restoreAllMocks();
    clock.reset();
  });
}

const comment = (acme: Tenant, ticket: { uniqueId: string }, body: object) =>
  acme.key.ok(createTicketComment, {
    params: { ticketId: ticket.uniqueId },
    body: { body: 'Which lamp is on?', ...body },
  });

const happenings = async ({ accountId }: Tenant): Promise<unknown[]> =>
  (await storedHappenings(accountId, 'mail_')).map(({ happening }) => happening);

describe('a public comment by staff', () => {
  test('is mailed to the requester, who can reply', async () => {
    const acme = await mailingTenant();
    const ticket = await ticketOf(acme);
    const { id: commentId } = await comment(acme, ticket, {});
    await drain();
    expect(sent.map(({ to }) => to)).toEqual(['ada@example.com']);
    const message = await readMessage(sent[0] ?? expect.fail());
    expect(message).toMatchObject({
      from: { address: 'help@acme.example', name: 'Acme Support' },
      to: [{ address: 'ada@example.com', name: 'Ada Byron' }],
      subject: 'No receipt',
    });
    expect(message.text?.trim()).toBe('Which lamp is on?');
    expect(message.html).toContain('<p>Which lamp is on?</p>');
    expect(headerOf(message, 'auto-submitted')).toBeUndefined();
    const proof = {
      kind: 'thread',
      account: acme.accountId,
      thread: { recordType: 'ticket', recordId: String(ticket.id) },
      recipientHash: hashOfAddress('ada@example.com'),
    };
    const [mail] = await storedMails(acme);
    expect(await readToken(message.replyTo?.[0]?.address ?? '')).toEqual(proof);
    expect(await readToken(message.messageId ?? '')).toEqual({ ...proof, mailId: mail?.id });
    expect(await readToken(message.references ?? '')).toEqual({ ...proof, mailId: 0 });
    expect(mail).toMatchObject({
      ...{ direction: 'outgoing', state: 'sent', automatic: false, commentId, text: 'Which lamp is on?' },
      ...{ providerId: sent[0]?.providerId, leftOut: [], sentAt: expect.any(String) },
      deliveries: [{ address: 'ada@example.com', state: 'sent', providerId: sent[0]?.providerId }],
    });
    expect(await happenings(acme)).toEqual(['mail_queued', 'mail_sent']);
  });

  test('refers to all earlier mails of the thread', async () => {
    const acme = await mailingTenant();
    const ticket = await ticketOf(acme);
    for (const body of ['One', 'Two', 'Three']) {
      await comment(acme, ticket, { body });
      await drain();
    }
    const messages = await Promise.all(sent.map(readMessage));
    const ids = sent.map(({ providerId }) => sesMessageId(providerId));
    const [root = ''] = messages[0]?.references?.split(' ') ?? [];
    expect(messages.map(({ references }) => references)).toEqual([
      root,
      `${root} ${ids[0]}`,
      `${root} ${ids[0]} ${ids[1]}`,
    ]);
    expect(messages.map(({ inReplyTo }) => inReplyTo)).toEqual([undefined, ids[0], ids[1]]);
    expect(messages.map(({ subject }) => subject)).toEqual([
      'No receipt',
      'Re: No receipt',
      'Re: No receipt',
    ]);
  });

  test('refers to all mails of a long thread, and responses contain the first and the newest ids', async () => {
    const acme = await mailingTenant();
    const ticket = await ticketOf(acme);
    const of = { recordType: 'ticket', recordId: String(ticket.id) } as const;
    const ids = Array.from({ length: 70 }, (_, n) => `<${n}.${'x'.repeat(60)}@example.com>`);
    const thread = ids.reduce(withMessage, newThread(acme.accountId as AccountId, of, ticket.subject));
    await transact(threads.put(undefined, thread), Date.now() + minute);
    await comment(acme, ticket, {});
    await drain();
    const { references = '' } = await readMessage(sent[0] ?? expect.fail());
    expect(references.split(' ').slice(1)).toEqual(ids);
    const [mail] = await storedMails(acme);
    const shown = await acme.directKey.ok(readMail, { params: { mailId: mail?.id ?? 0 } });
    expect(shown.references).toEqual([ids[0], ...ids.slice(-49)]);
  });

  test('is not mailed if it is internal or by a customer, or if the account has not chosen it', async () => {
    const acme = await mailingTenant();
    const ticket = await ticketOf(acme);
    await comment(acme, ticket, { visibility: 'internal' });
    await comment(acme, ticket, { authorType: 'customer' });
    await acme.admin.ok(updateAccount, { params: { id: acme.accountId }, body: { mail: null } });
    await comment(acme, ticket, {});
    await drain();
    expect([sent.length, await storedMails(acme)]).toEqual([0, []]);
  });

  test('is mailed with REDACTED in place of sensitive values, and the mail says so', async () => {
    const acme = await mailingTenant();
    const ticket = await ticketOf(acme);
    await comment(acme, ticket, { body: 'Your card 4111 1111 1111 1111 works, and SSN 321-54-9876 too.' });
    await drain();
    const message = await readMessage(sent[0] ?? expect.fail());
    expect(message.text?.trim()).toBe('Your card REDACTED works, and SSN REDACTED too.');
    expect(message.html).not.toMatch(/4111|9876/);
    expect(await storedMails(acme)).toMatchObject([{ leftOut: [expect.stringContaining('REDACTED')] }]);
  });

  test('is a response for the SLA only from the time on at which SES accepts the mail', async () => {
    const acme = await mailingTenant();
    const ticket = await ticketOf(acme);
    const read = () => acme.key.ok(readTicket, { params: { ticketId: ticket.uniqueId } });
    faultsOfSes({ error: 'TooManyRequestsException', status: 429 });
    await comment(acme, ticket, {});
    await drain();
    expect(await read()).toMatchObject({ responseCount: 0 });
    expect(await read()).not.toHaveProperty('slaFirstResponseMet');
    clock.advance(2 * minute);
    const accepted = clock.now().getTime();
    await passTime(0);
    const { lastResponseAt = '', ...answered } = await read();
    expect(answered).toMatchObject({ responseCount: 1, slaFirstResponseMet: true });
    expect(Date.parse(lastResponseAt)).toBeGreaterThanOrEqual(accepted);
  });

  test('that SES refuses is no response, and the mail says why', async () => {
    const acme = await mailingTenant();
    const ticket = await ticketOf(acme);
    faultsOfSes({ error: 'MessageRejected', message: 'Email address is on the suppression list.' });
    await comment(acme, ticket, {});
    await drain();
    await passTime(600 * minute);
    expect((await storedMails(acme))[0]).toMatchObject({
      state: 'failed',
      deliveries: [{ state: 'failed', reason: 'MessageRejected' }],
    });
    expect(await acme.key.ok(readTicket, { params: { ticketId: ticket.uniqueId } })).toMatchObject({
      responseCount: 0,
    });
    expect([sent.length, await happenings(acme)]).toEqual([0, ['mail_queued', 'mail_failed']]);
  });
});

test('a mail is not sent after SES or DNS disproved the domain of its sender, and its record says why', async () => {
  const acme = await mailingTenant();
  const ticket = await ticketOf(acme);
  faultsOfSes();
  const domain = (await mailDomains.findNamed(acme.accountId, 'acme.example')) ?? expect.fail();
  const now = clock.now();
  await transact(
    mailDomains.replace(domain, revise(domain, { status: 'failed' }, { now })),
    now.getTime() + minute,
  );
  await comment(acme, ticket, {});
  await drain();
  expect((await storedMails(acme))[0]).toMatchObject({ state: 'waiting' });
  // The domain may be verified again, so the mail is retried for hours.
  for (let n = 0; n < 8; n++) await passTime(400 * minute);
  expect((await storedMails(acme))[0]).toMatchObject({
    state: 'failed',
    deliveries: [{ state: 'failed', reason: 'domain_not_verified' }],
  });
  expect(sent).toEqual([]);
  expect(await acme.directKey.ok(readTicket, { params: { ticketId: ticket.uniqueId } })).toMatchObject({
    responseCount: 0,
  });
  expect(await happenings(acme)).toEqual(['mail_queued', 'mail_failed']);
});

describe('a mail whose response by SES was lost', () => {
  test('is sent once more, and its record says that it may have arrived twice', async () => {
    const acme = await mailingTenant();
    const ticket = await ticketOf(acme);
    faultsOfSes('lost');
    await comment(acme, ticket, {});
    await drain();
    expect((await storedMails(acme))[0]).toMatchObject({ state: 'unknown' });
    await passTime(2 * minute);
    await passTime(600 * minute);
    expect((await storedMails(acme))[0]).toMatchObject({
      state: 'sent',
      deliveries: [{ state: 'sent', repeated: true }],
    });
    expect(sent).toHaveLength(1);
  });

  test('twice stays unknown', async () => {
    const acme = await mailingTenant();
    faultsOfSes('lost', 'lost');
    await comment(acme, await ticketOf(acme), {});
    await drain();
    await passTime(2 * minute);
    await passTime(600 * minute);
    expect((await storedMails(acme))[0]).toMatchObject({ state: 'unknown' });
    expect(sent).toEqual([]);
  });
});

describe('POST /tickets/{ticketId}/mails', () => {
  test('sends an own message to each recipient, and all of them take part in the thread', async () => {
    const acme = await mailingTenant();
    const ticket = await ticketOf(acme);
    const params = { ticketId: ticket.uniqueId };
    const mail = await acme.key.ok(sendTicketMail, {
      params,
      body: { to: ['Ada@example.com', 'bob@example.com'], cc: ['eve@example.com'], body: 'Hello' },
    });
    expect(mail).toMatchObject({
      state: 'waiting',
      to: [{ address: 'ada@example.com', name: 'Ada Byron' }, {}],
    });
    await drain();
    const messages = await Promise.all(sent.map(readMessage));
    expect(sent.map(({ to }) => to).sort()).toEqual([
      'ada@example.com',
      'bob@example.com',
      'eve@example.com',
    ]);
    for (const [n, message] of messages.entries()) {
      expect(message.to?.map(({ address }) => address)).toEqual(['ada@example.com', 'bob@example.com']);
      expect(message.cc?.map(({ address }) => address)).toEqual(['eve@example.com']);
      expect(await readToken(message.replyTo?.[0]?.address ?? '')).toMatchObject({
        recipientHash: hashOfAddress(sent[n]?.to ?? ''),
      });
    }
    const thread = await threads.find(acme.accountId, { recordType: 'ticket', recordId: String(ticket.id) });
    expect(thread).toMatchObject({
      participants: [{ address: 'bob@example.com' }, { address: 'eve@example.com' }],
      messageIds: [expect.any(String)],
    });
    const { data } = await acme.key.ok(listTicketComments, { params });
    expect(data).toMatchObject([{ body: 'Hello', visibility: 'public', authorType: 'staff' }]);
    expect(await acme.key.ok(readTicket, { params })).toMatchObject({ responseCount: 1 });
    expect(await happenings(acme)).toEqual(['mail_queued', 'mail_sent', 'mail_sent', 'mail_sent']);
  });

  test('rejects sensitive values and unknown documents', async () => {
    const acme = await mailingTenant();
    const params = { ticketId: (await ticketOf(acme)).uniqueId };
    const invalid = async (body: { body: string; documentIds?: string[]; to?: string[] }) => {
      const response = await acme.key.call(sendTicketMail, { params, body });
      expect(response.status).toBe(400);
      return (response.body as { details?: { field: string }[] }).details?.map(({ field }) => field);
    };
    expect(await invalid({ body: 'The card 4111 1111 1111 1111' })).toEqual(['body']);
    expect(await invalid({ body: 'Hello', documentIds: ['17'] })).toEqual(['documentIds[0]']);
    await drain();
    expect(sent).toEqual([]);
  });
});

describe('the documents of a mail', () => {
  const content = Buffer.from('%PDF-1.7\nA scan.\n');

  test('of a ticket are attached, and each recipient gets the files', async () => {
    const acme = await mailingTenant();
    const { id, uniqueId: ticketId } = await ticketOf(acme);
    const made = await acme.admin.ok(createTicketDocument, {
      params: { ticketId },
      body: { ...describedScan, type: 'photo', name: 'Beleg März.pdf' },
    });
    const send = (documentIds: string[]) =>
      acme.directKey.call(sendTicketMail, {
        params: { ticketId },
        body: { to: ['ada@example.com', 'bob@example.com'], body: 'See the file.', documentIds },
      });
    expect(await send([made.id])).toMatchObject({ status: 400 });
    await withFile(completeTicketDocument)(acme, { ticketId: id, documentId: Number(made.id) }, made);
    expect(await send([made.id])).toMatchObject({
      status: 201,
      body: {
        attachments: [{ fileName: 'Beleg März.pdf', documentId: Number(made.id), size: content.length }],
      },
    });
    await drain();
    expect(sent).toHaveLength(2);
    for (const mail of sent) {
      const [file, ...others] = (await readMessage(mail)).attachments;
      expect([file?.filename, file?.mimeType, others]).toEqual(['Beleg März.pdf', 'application/pdf', []]);
      expect(Buffer.from(file?.content as ArrayBuffer)).toEqual(content);
    }
    // A document of another ticket is no document of this one.
    const other = await ticketOf(acme);
    expect(
      await acme.directKey.call(sendTicketMail, {
        params: { ticketId: other.uniqueId },
        body: { body: 'Hello', documentIds: [made.id] },
      }),
    ).toMatchObject({ status: 400, body: { details: [{ field: 'documentIds[0]' }] } });
  });

  test('may take 25 s to reach SES', async () => {
    const timeouts = vi.spyOn(AbortSignal, 'timeout');
    onTestFinished(() => timeouts.mockRestore());
    const acme = await mailingTenant();
    await comment(acme, await ticketOf(acme), {});
    await drain();
    expect(sent).toHaveLength(1);
    expect(timeouts.mock.calls).toEqual([[25_000]]);
  });

  test.each([
    ['Scan 10:22 of "acme".com', 'Scan 10_22 of _acme_.com.pdf'],
    ['Statement.PDF', 'Statement.PDF'],
    ['a'.repeat(255), `${'a'.repeat(196)}.pdf`],
  ])('have names that SES accepts (%s)', async (name, fileName) => {
    const acme = await mailingTenant();
    const { id, uniqueId: ticketId } = await ticketOf(acme);
    const params = { ticketId };
    const made = await acme.admin.ok(createTicketDocument, {
      params,
      body: { ...describedScan, type: 'photo', name },
    });
    await withFile(completeTicketDocument)(acme, { ticketId: id, documentId: Number(made.id) }, made);
    const body = { body: 'See the file.', documentIds: [made.id] };
    const mail = await acme.directKey.ok(sendTicketMail, { params, body });
    expect(mail).toMatchObject({ attachments: [{ fileName }] });
    await drain();
    const message = await readMessage(sent[0] ?? expect.fail());
    expect(message.attachments.map(({ filename }) => filename)).toEqual([fileName]);
  });

  test('that was deleted before the mail is sent fails the mail, which says so', async () => {
    const acme = await mailingTenant();
    const { id, uniqueId: ticketId } = await ticketOf(acme);
    const params = { ticketId };
    const made = await acme.admin.ok(createTicketDocument, {
      params,
      body: { ...describedScan, type: 'photo' },
    });
    const of = { ticketId: id, documentId: Number(made.id) };
    await withFile(completeTicketDocument)(acme, of, made);
    await acme.directKey.ok(sendTicketMail, { params, body: { body: 'Hello', documentIds: [made.id] } });
    const place = {
      account: acme.accountId,
      parent: 'ticket' as const,
      parentId: id,
      documentId: of.documentId,
    };
    const timing = { now: clock.now(), deadline: Date.now() + minute };
    await asTest(() => deleteObject(documentObject(place), timing));
    await drain();
    expect(await storedMails(acme)).toMatchObject([
      { state: 'failed', deliveries: [{ state: 'failed', reason: 'document_deleted' }] },
    ]);
    expect(sent).toEqual([]);
  });
});

describe('POST /applications/{applicationId}/mails', () => {
  test('writes to the business of the application, whose reply joins the thread without a comment', async () => {
    const acme = await mailingTenant();
    const { accountId: account, admin } = acme;
    const basics = {
      dbaName: 'Harbor Street Coffee',
      dbaContact: 'Ada Byron',
      dbaEmail: 'Ada@Harbor.example',
    };
    const { id } = await admin.ok(createApplication, { body: { basics } });
    const params = { applicationId: id };
    expect(await admin.call(sendApplicationMail, { params, body: { body: 'Hello' } })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'subject' }] },
    });
    await admin.ok(sendApplicationMail, {
      params,
      body: { subject: 'Your application', body: 'One form is missing.' },
    });
    await drain();
    expect(sent.map(({ to }) => to)).toEqual(['ada@harbor.example']);
    const message = await readMessage(sent[0] ?? expect.fail());
    expect(message).toMatchObject({
      subject: 'Your application',
      to: [{ address: 'ada@harbor.example', name: 'Ada Byron' }],
    });
    const to = message.replyTo?.[0]?.address ?? '';
    expect(await readToken(to)).toMatchObject({
      account,
      thread: { recordType: 'application', recordId: id },
    });
    const reply = await received(account, { to, from: 'ada@harbor.example', body: 'Here it is.' });
    expect(reply).toMatchObject({ ...{ state: 'received', recordType: 'application', recordId: id } });
    const { data } = await admin.ok(listApplicationMails, { params });
    expect(data.map(({ direction, state }) => `${direction} ${state}`).sort()).toEqual([
      'incoming received',
      'outgoing sent',
    ]);
    const reader = await member(acme, ['readApplications']);
    expect((await reader.client.call(sendApplicationMail, { params, body: { body: 'Hello' } })).status).toBe(
      403,
    );
  });
});

describe('POST /leads/{leadId}/mails', () => {
  test('reaches only the leads of the caller, and needs a subject for the first mail', async () => {
    const acme = await mailingTenant();
    const sales = await addAddress(acme, { address: 'sales@acme.example', purpose: 'leads' });
    const [ada, eve] = [
      await member(acme, ['writeOwnLeads', 'readOwnLeads']),
      await member(acme, ['writeOwnLeads']),
    ];
    const lead = await ada.client.ok(createLead, {
      query: { skipTeamAndSourceRequirement: true },
      body: { firstName: 'Grace', lastName: 'Hopper', email: ' Grace@Example.com ' },
    });
    const params = { leadId: lead.id };
    const body = { subject: 'Our offer', body: 'See https://acme.example/offer.' };
    expect((await eve.client.call(sendLeadMail, { params, body })).status).toBe(404);
    expect((await ada.client.call(sendLeadMail, { params, body: { body: 'Hello' } })).status).toBe(400);
    await ada.client.ok(sendLeadMail, { params, body });
    const other = await ada.client.ok(createLead, {
      query: { skipTeamAndSourceRequirement: true },
      body: { firstName: 'A', lastName: 'B' },
    });
    expect(await ada.client.call(sendLeadMail, { params: { leadId: other.id }, body })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'to' }] },
    });
    await drain();
    expect(sent.map(({ to }) => to)).toEqual(['grace@example.com']);
    expect(await readMessage(sent[0] ?? expect.fail())).toMatchObject({
      from: { address: sales.address },
      to: [{ address: 'grace@example.com', name: 'Grace Hopper' }],
      subject: 'Our offer',
    });
  });
});

test('the settings of mail name an address of the account', async () => {
  const acme = await mailingTenant();
  const params = { id: acme.accountId };
  const response = await acme.admin.call(updateAccount, {
    params,
    body: { mail: { commentsByMail: true, from: 17 } },
  });
  expect(response).toMatchObject({ status: 400, body: { details: [{ field: 'mail.from' }] } });
  const other = await addAddress(acme, { address: 'desk@acme.example' });
  const mail = { commentsByMail: true, from: other.id };
  expect(await acme.admin.ok(updateAccount, { params, body: { mail } })).toMatchObject({ mail });
  await comment(acme, await ticketOf(acme), {});
  await drain();
  expect(await readMessage(sent[0] ?? expect.fail())).toMatchObject({
    from: { address: 'desk@acme.example', name: expect.stringContaining('Tenant') },
  });
});
