import { expect, test } from 'vitest';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import sendTicketMail from '../../functions/tickets/send-ticket-mail.ts';
import { mailAddresses } from '../../shared/correspondence/addresses/store.ts';
import { mails } from '../../shared/correspondence/mails/store.ts';
import { blockedAddressKey } from '../../shared/correspondence/outgoing/keys.ts';
import { sesMessageId } from '../../shared/correspondence/outgoing/references.ts';
import {
  hashOfAddress,
  newMessageId,
  replyAddress,
} from '../../shared/correspondence/threads/thread-token.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { getItem } from '../../shared/table/read.ts';
import { drain } from '../harness/drain.ts';
import { bounces } from '../harness/heavy.ts';
import { member } from '../harness/member.ts';
import { tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';
import { bounce, reportAbout } from './delivery-reports.ts';
import { addressOf, deliverMessages, received, storeMail } from './incoming-mail.ts';
import { acceptedMails, mailingTenant, readMessage, storedMails, ticketOf } from './outgoing-world.ts';

test('bounces in a minute open no ticket and cause no mail, also not to a user who chose mail for every change', async () => {
  const acme = await tenant();
  const { accountId: account, directKey } = acme;
  const events = ['no_event_name', 'ticket_created', 'ticket_comment_added'] as const;
  await member(acme, ['readMails', 'readTickets', 'readInternalComments'], {
    notificationPreferences: events.map((event) => ({ event, deliveryPref: ['email' as const] })),
  });
  const inbound = await addressOf(account, { autoReply: { text: 'Thank you.' } });
  const first = await received(account, { to: inbound });
  const thread = { recordType: 'ticket', recordId: first.recordId ?? '' } as const;
  const reply = await replyAddress(account, thread, 'ada@example.com');
  await drain();

  let sent = 0;
  const stop = watchWire({
    done({ service }) {
      if (service === 'ses') sent += 1;
    },
  });
  const messages = await Promise.all(
    Array.from({ length: bounces }, (_, n) => storeMail(bounce(n % 3 === 0 ? reply : inbound, n))),
  );
  for (let n = 0; n < messages.length; n += 10) await deliverMessages(messages.slice(n, n + 10));
  await drain();
  stop();
  expect(sent).toBe(0);
  expect((await directKey.ok(listTickets, {})).data).toHaveLength(1);
  const states = (await mails.newest(account, 50)).map(({ direction, state }) => `${direction} ${state}`);
  expect(states.filter((state) => state === 'incoming report').length).toBeGreaterThanOrEqual(
    Math.min(bounces, 48),
  );
});

test('a user who chose mail for every change gets mails about other happenings of mails', async () => {
  const acme = await tenant();
  const ada = await member(acme, ['readMails', 'readTickets'], {
    notificationPreferences: [{ event: 'no_event_name', deliveryPref: ['email'] }],
  });
  const inbound = await addressOf(acme.accountId);
  const to: string[] = [];
  const stop = watchWire({
    done({ service, input }) {
      const { Destination } = input as { Destination?: { ToAddresses: string[] } };
      if (service === 'ses') to.push(Destination?.ToAddresses[0] ?? '');
    },
  });
  await received(acme.accountId, { to: inbound });
  await drain();
  stop();
  expect(to).toContain(ada.user.email);
});

const sent = acceptedMails();

/** An account that mailed Ada and Bob twice. `headerFor` is the header of the last mail to a person, as SES sends it. */
async function mailedTwice() {
  const acme = await mailingTenant();
  const { accountId: account, key } = acme;
  const { id, uniqueId: ticketId } = await ticketOf(acme);
  const thread = { recordType: 'ticket', recordId: String(id) } as const;
  sent.splice(0);
  for (const body of ['Hello', 'Hello again']) {
    const to = ['ada@example.com', 'bob@example.com'];
    await key.ok(sendTicketMail, { params: { ticketId }, body: { to, body } });
    await drain();
  }
  const [address] = await mailAddresses.all(account);
  const inbound = mailAddresses.show(address ?? expect.fail()).inboundAddress ?? '';
  const headerFor = async (person: string, which = -1) => {
    const mail = sent.filter(({ to }) => to === person).at(which) ?? expect.fail();
    const { references = '' } = await readMessage(mail);
    return { 'Message-ID': sesMessageId(mail.providerId), References: references };
  };
  const states = async () =>
    (await storedMails(acme))
      .filter(({ direction }) => direction === 'outgoing')
      .map(({ deliveries = [] }) => deliveries.map(({ state }) => state));
  return { acme, account, thread, inbound, headerFor, states };
}
const allSent = [
  ['sent', 'sent'],
  ['sent', 'sent'],
];

test('a delivery report with the header that SES sent to a recipient is recorded on the mail of this recipient', async () => {
  const { account, inbound, headerFor, states } = await mailedTwice();
  await received(account, reportAbout(inbound, { returned: await headerFor('ada@example.com') }));
  expect(await states()).toEqual([
    ['sent', 'sent'],
    ['bounced', 'sent'],
  ]);
  const alias = { returned: await headerFor('bob@example.com', 0), recipient: 'box7@mx.example.com' };
  await received(account, reportAbout(inbound, alias));
  expect(await states()).toEqual([
    ['sent', 'bounced'],
    ['bounced', 'sent'],
  ]);
});

test('a delivery report with a comment after its action is recorded', async () => {
  const { account, inbound, headerFor, states } = await mailedTwice();
  const returned = await headerFor('ada@example.com');
  await received(account, reportAbout(inbound, { returned, action: 'Failed (mailbox unavailable)' }));
  expect(await states()).toEqual([
    ['sent', 'sent'],
    ['bounced', 'sent'],
  ]);
});

test('a recipient cannot forge a delivery report about another recipient', async () => {
  const { acme, account, thread, inbound, headerFor, states } = await mailedTwice();
  const bob = await headerFor('bob@example.com');
  const ids = bob.References.split(' ');
  const [last] = (await storedMails(acme)).slice(-1);
  // Bob knows the ids of SES in his References, and could guess those of other mails.
  const others = sent
    .map(({ providerId }) => sesMessageId(providerId))
    .filter((id) => id !== bob['Message-ID']);
  const own = await newMessageId(account, thread, 'bob@example.com', 0);
  for (const id of [...ids.slice(1), ...others])
    for (const References of [bob.References, own, id])
      await received(account, reportAbout(inbound, { returned: { 'Message-ID': id, References } }));
  await received(
    account,
    reportAbout(inbound, {
      returned: { 'Message-ID': await newMessageId(account, thread, 'bob@example.com', last?.id ?? 0) },
    }),
  );
  const after = await states();
  expect(after.map(([ofAda]) => ofAda)).toEqual(['sent', 'sent']);
  expect(await replyBlocked(account, 'ada@example.com')).toBe(false);
  expect(after.map(([, ofBob]) => ofBob)).toContain('bounced');
});

const replyBlocked = async (account: AccountId, address: string) =>
  (await getItem(blockedAddressKey(account, hashOfAddress(address)))) !== undefined;

test('a report about another mail changes none of the mails in its References', async () => {
  const { account, inbound, headerFor, states } = await mailedTwice();
  const { 'Message-ID': id, References } = await headerFor('ada@example.com');
  const answer = {
    'Message-ID': '<answer@example.com>',
    'In-Reply-To': id,
    References: `${References} ${id}`,
  };
  await received(account, reportAbout(inbound, { returned: answer }));
  await received(account, {
    ...bounce(inbound, 0),
    headers: { ...bounce(inbound, 0).headers, References: `${References} ${id}` },
  });
  expect(await states()).toEqual(allSent);
});

test.each(['delayed', 'delivered', 'relayed', 'expanded'])(
  'a report with the action %s is no bounce',
  async (action) => {
    const { account, inbound, headerFor, states } = await mailedTwice();
    const returned = await headerFor('ada@example.com');
    expect(await received(account, reportAbout(inbound, { returned, action }))).toMatchObject({
      state: 'report',
    });
    expect(await states()).toEqual(allSent);
    expect(await replyBlocked(account, 'ada@example.com')).toBe(false);
  },
);

test('a forged delivery report about one of our mails changes no mail', async () => {
  const acme = await mailingTenant();
  const { accountId: account, key } = acme;
  const { id, uniqueId: ticketId } = await ticketOf(acme);
  await key.ok(createTicketComment, { params: { ticketId }, body: { body: 'Hello' } });
  await drain();
  const [mail] = await storedMails(acme);
  const other = await mailingTenant();
  const thread = { recordType: 'ticket', recordId: String(id) } as const;
  const valid = await newMessageId(account, thread, 'ada@example.com', mail?.id ?? 0);
  const ids = [
    // One changed character of the MAC, another mail, another recipient, another account, and an invented id of SES.
    valid.replace(/.(?=\.\d+@)/, (last) => (last === 'a' ? 'q' : 'a')),
    await newMessageId(account, thread, 'ada@example.com', (mail?.id ?? 0) + 1),
    await newMessageId(account, thread, 'mallory@evil.test', mail?.id ?? 0),
    await newMessageId(other.accountId, thread, 'ada@example.com', mail?.id ?? 0),
    '<0100018e4f7a1c2d-5b6c7d8e-9f00-4a1b-8c2d-3e4f5a6b7c8d-000000@email.amazonses.com>',
  ];
  const [address] = await mailAddresses.all(account);
  const to = mailAddresses.show(address ?? expect.fail()).inboundAddress ?? '';
  const reporting = (messageId: string) =>
    received(account, reportAbout(to, { returned: { 'Message-ID': messageId } }));
  for (const messageId of ids)
    expect(await reporting(messageId), messageId).toMatchObject({
      state: 'report',
      why: { code: 'delivery_report' },
    });
  const [after, ...reports] = await storedMails(acme);
  expect([after, reports.length]).toEqual([mail, ids.length]);
  await reporting(valid);
  expect((await storedMails(acme))[0]).toMatchObject({ state: 'bounced', bounces: [{ kind: 'permanent' }] });
});
