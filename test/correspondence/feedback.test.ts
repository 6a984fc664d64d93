import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import sendTicketMail from '../../functions/tickets/send-ticket-mail.ts';
import { accounts } from '../../shared/accounts/store.ts';
import type { StoredMail } from '../../shared/correspondence/mails/schema.ts';
import { replyAutomatically } from '../../shared/correspondence/outgoing/automatic-reply.ts';
import { readSesEvent } from '../../shared/correspondence/outgoing/read-ses-event.ts';
import { type MailFeedback, recordFeedback } from '../../shared/correspondence/outgoing/record-feedback.ts';
import { sesMessageId } from '../../shared/correspondence/outgoing/references.ts';
import { newThread } from '../../shared/correspondence/threads/schema.ts';
import { commit } from '../../shared/events/outbox.ts';
import { systemEvent } from '../../shared/events/system-event.ts';
import { VersionConflict } from '../../shared/table/transact.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { storedHappenings } from '../harness/raw-table.ts';
import type { Tenant } from '../harness/tenant.ts';
import { asTest, watchWire } from '../harness/wire.ts';
import { deliverMessages } from './incoming-mail.ts';
import {
  acceptedMails,
  addAddress,
  headerOf,
  mailingTenant,
  readMessage,
  type SentMail,
  storedMails,
  ticketOf,
} from './outgoing-world.ts';

const sent = acceptedMails();
const run = () => ({ now: clock.now(), deadline: Date.now() + 60_000 });

/** An event of SES about a sent mail, as SES publishes it. */
const sesEvent = (
  { tags, providerId, to }: SentMail,
  eventType: 'Bounce' | 'Complaint' | 'Delivery' | 'Reject',
  bounceType = 'Permanent',
): unknown => ({
  eventType,
  mail: {
    timestamp: '2026-03-01T09:29:00.000Z',
    messageId: providerId,
    tags: { account: [tags.account], mail: [tags.mail] },
    destination: [to],
  },
  bounce: {
    bounceType,
    bouncedRecipients: [{ emailAddress: to, diagnosticCode: 'smtp; 550 5.1.1 User unknown' }],
    timestamp: '2026-03-01T09:30:00.000Z',
  },
  complaint: { complainedRecipients: [{ emailAddress: to }], timestamp: '2026-03-01T09:30:00.000Z' },
  delivery: { recipients: [to], timestamp: '2026-03-01T09:30:00.000Z' },
  reject: { reason: 'Bad content' },
});

const feedbackOf = (...of: Parameters<typeof sesEvent>): MailFeedback =>
  readSesEvent(sesEvent(...of)) ?? expect.fail('The event was not read.');

async function mailedComment(acme: Tenant) {
  const ticket = await ticketOf(acme);
  const params = { ticketId: ticket.uniqueId };
  await acme.key.ok(createTicketComment, { params, body: { body: 'Hello' } });
  await drain();
  return { ticket, mail: sent.at(-1) ?? expect.fail('No mail was sent.') };
}

const bounceEvents = async ({ accountId }: Tenant) =>
  (await storedHappenings(accountId, 'mail_bounced')).map(({ detail }) => detail);

test('a bounce and a complaint are recorded once, on their delivery', async () => {
  const acme = await mailingTenant();
  const ticket = await ticketOf(acme);
  const body = { to: ['ada@example.com', 'bob@example.com'], body: 'Hello' };
  await acme.key.ok(sendTicketMail, { params: { ticketId: ticket.uniqueId }, body });
  await drain();
  const toBob = sent.find(({ to }) => to === 'bob@example.com') ?? expect.fail();
  const toAda = sent.find(({ to }) => to === 'ada@example.com') ?? expect.fail();
  for (const _ of [1, 2, 3]) await recordFeedback(feedbackOf(toBob, 'Bounce'), run());
  expect(await storedMails(acme)).toMatchObject([
    {
      state: 'bounced',
      deliveries: [{ state: 'sent' }, { address: 'bob@example.com', state: 'bounced' }],
      bounces: [
        {
          ...{ address: 'bob@example.com', kind: 'permanent', at: '2026-03-01T09:30:00.000Z' },
          diagnostic: 'smtp; 550 5.1.1 User unknown',
        },
      ],
    },
  ]);
  await recordFeedback(feedbackOf(toAda, 'Complaint'), run());
  expect((await storedMails(acme))[0]?.bounces).toHaveLength(2);
  expect(await bounceEvents(acme)).toMatchObject([
    { addresses: ['bob@example.com'], kind: 'permanent', reason: 'smtp; 550 5.1.1 User unknown' },
    { addresses: ['ada@example.com'], kind: 'complaint' },
  ]);
});

test('a message that SES accepted and then rejected, for example because of a virus, is recorded once as failed', async () => {
  const acme = await mailingTenant();
  const { mail } = await mailedComment(acme);
  expect(await storedMails(acme)).toMatchObject([{ state: 'sent' }]);
  for (const _ of [1, 2]) await recordFeedback(feedbackOf(mail, 'Reject'), run());
  // A report of a delivery does not contradict the rejection.
  await recordFeedback(feedbackOf(mail, 'Delivery'), run());
  expect(await storedMails(acme)).toMatchObject([
    {
      ...{ state: 'failed', bounces: [] },
      deliveries: [
        {
          state: 'failed',
          reason: 'Reject: Bad content',
          at: '2026-03-01T09:29:00.000Z',
          providerId: mail.providerId,
        },
      ],
    },
  ]);
  expect(await storedHappenings(acme.accountId, 'mail_failed')).toMatchObject([
    { detail: { reason: 'Reject: Bad content', state: 'failed' } },
  ]);
});

test.each([
  ['Transient', [{ emailAddress: 'ada@example.com' }]],
  ['Undetermined', []],
  ['Transient', [{ emailAddress: 'ada@example.com', action: 'delayed', status: '4.4.1' }]],
])(
  'an out-of-office reply or a delay, which SES reports as a bounce (%s, %j), does not change the mail',
  async (bounceType, bouncedRecipients) => {
    const acme = await mailingTenant();
    const { mail } = await mailedComment(acme);
    const event = sesEvent(mail, 'Bounce') as { bounce: object };
    const bounce = { ...event.bounce, bounceType, bouncedRecipients };
    await deliverMessages([JSON.stringify({ ...event, bounce })]);
    expect(await storedMails(acme)).toMatchObject([{ state: 'sent', bounces: [] }]);
    expect(await bounceEvents(acme)).toEqual([]);
  },
);

test('a message to an address on the suppression list after a complaint is recorded as failed', async () => {
  const acme = await mailingTenant();
  const { mail } = await mailedComment(acme);
  const event = sesEvent(mail, 'Complaint') as { complaint: object };
  const complaint = { ...event.complaint, complaintSubType: 'OnAccountSuppressionList' };
  await deliverMessages([JSON.stringify({ ...event, complaint })]);
  const reason = 'OnAccountSuppressionList';
  expect(await storedMails(acme)).toMatchObject([
    { state: 'failed', bounces: [], deliveries: [{ state: 'failed', reason }] },
  ]);
});

test('a report about a message whose answer by SES was lost tells that the recipient may have got the mail twice', async () => {
  const acme = await mailingTenant();
  const { mail } = await mailedComment(acme);
  const lost = { ...mail, providerId: '0102018e4f7a1c2d-00000000-0000-4000-8000-000000000000-000000' };
  await recordFeedback(feedbackOf(mail, 'Delivery'), run());
  expect((await storedMails(acme))[0]?.deliveries).toMatchObject([{ state: 'sent' }]);
  expect((await storedMails(acme))[0]?.deliveries?.[0]).not.toHaveProperty('repeated');
  for (const _ of [1, 2]) await recordFeedback(feedbackOf(lost, 'Delivery'), run());
  expect(await storedMails(acme)).toMatchObject([
    { state: 'sent', deliveries: [{ state: 'sent', providerId: mail.providerId, repeated: true }] },
  ]);
  expect(await storedHappenings(acme.accountId, 'mail_sent')).toHaveLength(2);
});

test.each([
  ['Bounce', 'bounced'],
  ['Reject', 'failed'],
] as const)(
  'a %s that arrives before the answer of SES is recorded, and the comment is no first response',
  async (eventType, state) => {
    const acme = await mailingTenant();
    let reports = 0;
    onTestFinished(
      watchWire({
        async done({ service, status }) {
          if (service !== 'ses' || status !== 200) return;
          const mail = sent.at(-1) ?? expect.fail();
          await asTest(() => recordFeedback(feedbackOf(mail, eventType), run()));
          reports += 1;
        },
      }),
    );
    const { ticket } = await mailedComment(acme);
    expect(reports).toBe(1);
    expect(await storedMails(acme)).toMatchObject([{ state, deliveries: [{ state }] }]);
    const read = await acme.key.ok(readTicket, { params: { ticketId: ticket.uniqueId } });
    expect(read).toMatchObject({ responseCount: 0 });
    expect(read).not.toHaveProperty('slaFirstResponseMet');
    await drain();
    expect(sent).toHaveLength(1);
  },
);

test.each([
  ['the Message-ID of SES', ({ providerId }: SentMail) => sesMessageId(providerId)],
  ['our signed Message-ID', async (mail: SentMail) => (await readMessage(mail)).messageId],
])('a delivery report finds its mail by %s', async (_, idOf) => {
  const acme = await mailingTenant();
  const { mail } = await mailedComment(acme);
  const { references = '' } = await readMessage(mail);
  const report = {
    ...{ outcome: 'bounced' as const, permanent: true, recipients: [], at: clock.now() },
    mail: { messageId: (await idOf(mail)) ?? '', proofs: references.split(' ') },
  };
  const other = await mailingTenant();
  expect(await recordFeedback({ ...report, account: other.accountId }, run())).toBeUndefined();
  expect(await recordFeedback({ ...report, account: acme.accountId }, run())).toBe(Number(mail.tags.mail));
  expect(await storedMails(acme)).toMatchObject([{ state: 'bounced', bounces: [{ kind: 'permanent' }] }]);
});

test('a report of a delivery settles a mail whose response was lost, so that it is not sent again', async () => {
  const acme = await mailingTenant();
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  let lost: SentMail | undefined;
  const stop = watchWire({
    fault: ({ service, input }) => {
      if (service !== 'ses' || lost) return undefined;
      const tags = (input.EmailTags as { Name: string; Value: string }[]).map((one) => [one.Name, one.Value]);
      lost = {
        to: 'ada@example.com',
        tags: Object.fromEntries(tags),
        raw: Buffer.of(),
        providerId: '0100-lost',
      };
      return 'lost';
    },
  });
  onTestFinished(() => {
    stop();
    vi.restoreAllMocks();
    clock.reset();
  });
  const ticket = await ticketOf(acme);
  const params = { ticketId: ticket.uniqueId };
  await acme.key.ok(createTicketComment, { params, body: { body: 'Hello' } });
  await drain();
  expect(await storedMails(acme)).toMatchObject([{ state: 'unknown' }]);
  await recordFeedback(feedbackOf(lost ?? expect.fail(), 'Delivery'), run());
  clock.advance(10 * 60_000);
  await drain();
  expect(await storedMails(acme)).toMatchObject([{ state: 'sent', providerId: '0100-lost' }]);
  expect(await acme.key.ok(readTicket, { params })).toMatchObject({ responseCount: 1 });
  expect(sent).toEqual([]);
});

test('bounces cause no mail and no ticket', async () => {
  const acme = await mailingTenant();
  const { mail } = await mailedComment(acme);
  sent.splice(0);
  for (let n = 0; n < 30; n++) await recordFeedback(feedbackOf(mail, 'Bounce', 'Transient'), run());
  await drain();
  expect(sent).toEqual([]);
  expect((await acme.key.ok(listTickets, { query: {} })).data).toHaveLength(1);
  expect(await bounceEvents(acme)).toHaveLength(1);
});

test('other events, other mails and texts that are no event are ignored', () => {
  const mail: SentMail = {
    to: 'a@b.example',
    tags: { account: 'acme', mail: '17' },
    raw: Buffer.of(),
    providerId: 'x',
  };
  expect(readSesEvent(sesEvent(mail, 'Bounce'))).toMatchObject({ outcome: 'bounced', permanent: true });
  const notification = { ...(sesEvent(mail, 'Bounce') as object), mail: { messageId: 'x', tags: {} } };
  const withType = (eventType: string) => ({ ...(sesEvent(mail, 'Bounce') as object), eventType });
  const ignored = ['Open', 'Rendering Failure'].map(withType);
  expect([notification, ...ignored, null, 'text', [], {}].map(readSesEvent)).toEqual(
    Array(7).fill(undefined),
  );
  // `String` cannot convert such an object.
  const unreadable = { toString: 0 };
  fc.assert(fc.property(fc.jsonValue(), (json) => void readSesEvent(json)));
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      readSesEvent({ ...(sesEvent(mail, 'Bounce') as object), bounce: one, mail: other });
      readSesEvent({
        ...(sesEvent(mail, 'Delivery') as object),
        delivery: { recipients: one, timestamp: other },
      });
    }),
    {
      examples: [
        [[], unreadable],
        [[], { messageId: 'x', tags: null }],
      ],
    },
  );
});

/** An account with an address that replies automatically. */
async function replyingTenant() {
  const acme = await mailingTenant();
  const address = await addAddress(acme, {
    ...{ address: 'desk@acme.example', autoReply: { text: 'We reply within a day.' }, name: 'Desk' },
  });
  const accountRecord = await accounts.get(acme.accountId);
  const ticket = await ticketOf(acme);
  let mailIds = 0;

  /** Replies to a mail and commits the result, as the consumer of incoming mail does. */
  async function reply(mail: Partial<StoredMail> = {}, authenticated = true, recordId = String(ticket.id)) {
    const of = { recordType: 'ticket' as const, recordId };
    const incoming = {
      ...{ accountId: acme.accountId, id: ++mailIds, automatic: false, subject: 'No receipt', ...of },
      from: { address: 'ada@example.com', name: 'Ada' },
      ...mail,
    } as StoredMail;
    const thread = newThread(acme.accountId, of, 'No receipt');
    const result = await replyAutomatically(
      { accountRecord, mail: incoming, thread, address, authenticated },
      { now: clock.now() },
    );
    if ('unsent' in result) return result.unsent;
    const as = { account: acme.accountId, now: clock.now(), schedule: 'incoming' };
    await commit({ ...result, events: result.events.map((draft) => systemEvent(draft, as)), ...run() });
    return 'sent';
  }
  return { acme, reply };
}

test('an automatic reply is marked as automatic, and is no response for the SLA', async () => {
  const { acme, reply } = await replyingTenant();
  expect(await reply()).toBe('sent');
  await drain();
  const message = await readMessage(sent[0] ?? expect.fail());
  expect(message).toMatchObject({
    from: { address: 'desk@acme.example', name: 'Desk' },
    subject: 'Re: No receipt',
  });
  expect(headerOf(message, 'auto-submitted')).toBe('auto-replied');
  const [mail] = await storedMails(acme);
  expect(mail).toMatchObject({ automatic: true, state: 'sent' });
  const params = { ticketId: mail?.recordId ?? '' };
  expect((await acme.key.ok(listTickets, { query: {} })).data).toMatchObject([{ responseCount: 0 }]);
  expect(params.ticketId).not.toBe('');
});

test('an address gets one automatic mail in 24 hours for each thread', async () => {
  const { reply } = await replyingTenant();
  onTestFinished(clock.reset);
  expect(await reply()).toBe('sent');
  expect(await reply({ from: { address: 'ADA@example.com' } })).toBe('over_limit');
  expect(await reply({ from: { address: 'bob@example.com' } })).toBe('sent');
  expect(await reply({}, true, '17')).toBe('sent');
  clock.advance(24 * 3_600_000 + 1_000);
  expect(await reply()).toBe('sent');
});

test('two replies at the same time: one of them is committed', async () => {
  const { reply } = await replyingTenant();
  const results = await Promise.allSettled([reply(), reply(), reply()]);
  const failed = results.filter((one) => one.status === 'rejected');
  expect(results.filter((one) => one.status === 'fulfilled' && one.value === 'sent')).toHaveLength(1);
  for (const { reason } of failed) expect(reason).toBeInstanceOf(VersionConflict);
});

test('no automatic mail is sent to unproved addresses, to automatic mails, or after a bounce', async () => {
  const { acme, reply } = await replyingTenant();
  expect(await reply({}, false)).toBe('not_authenticated');
  expect(await reply({ automatic: true })).toBe('automatic');
  expect(await reply({ from: { address: 'no address' } })).toBe('not_authenticated');
  expect(await reply()).toBe('sent');
  await drain();
  // The mails of earlier tests are sent, too.
  const own = sent.find(({ tags }) => tags.account === acme.accountId);
  await recordFeedback(feedbackOf(own ?? expect.fail(), 'Bounce'), run());
  expect(await reply({}, true, '17')).toBe('blocked');
  expect(await storedMails(acme)).toHaveLength(1);
});

test('above 200 automatic mails in an hour, an account sends no further ones until the next hour', async () => {
  const { reply } = await replyingTenant();
  onTestFinished(clock.reset);
  clock.advance(3_600_000 - (clock.now().getTime() % 3_600_000));
  const results: string[] = [];
  for (let n = 0; n < 202; n++) results.push(await reply({ from: { address: `a${n}@example.com` } }));
  expect(results.filter((one) => one === 'sent')).toHaveLength(200);
  expect(results.slice(200)).toEqual(['circuit_breaker', 'circuit_breaker']);
  clock.advance(3_600_000);
  expect(await reply({ from: { address: 'later@example.com' } })).toBe('sent');
});
