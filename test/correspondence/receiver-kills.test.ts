import { expect, test } from 'vitest';
import listLeads from '../../functions/leads/list-leads.ts';
import listTicketComments from '../../functions/tickets/list-ticket-comments.ts';
import listTicketDocuments from '../../functions/tickets/list-ticket-documents.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import sendTicketMail from '../../functions/tickets/send-ticket-mail.ts';
import { mails } from '../../shared/correspondence/mails/store.ts';
import { newMessageId, replyAddress } from '../../shared/correspondence/threads/thread-token.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { hideKills, killAt } from '../harness/kill.ts';
import { storedHappenings } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { reportAbout } from './delivery-reports.ts';
import { addressOf, deliverMessages, received, storeMail, withFiles } from './incoming-mail.ts';
import { acceptedMails } from './outgoing-world.ts';

const sent = acceptedMails();

async function world() {
  const acme = await tenant();
  const { accountId: account, directKey } = acme;
  const inbound = await addressOf(account, { autoReply: { text: 'Thank you.' } });
  const first = await received(account, { to: inbound, from: 'Bob <bob@example.com>' });
  const reply = await replyAddress(
    account,
    { recordType: 'ticket', recordId: first.recordId ?? '' },
    'bob@example.com',
  );
  const tickets = async () => (await directKey.ok(listTickets, {})).data;
  const [{ uniqueId: ticketId = '' } = {}] = await tickets();
  const comments = async () => (await directKey.ok(listTicketComments, { params: { ticketId } })).data;
  const documents = async () => (await directKey.ok(listTicketDocuments, { params: { ticketId } })).data;
  await drain();
  const thread = { recordType: 'ticket', recordId: first.recordId ?? '' } as const;
  return { account, directKey, inbound, reply, tickets, ticketId, thread, comments, documents };
}

/** Kills the consumer at each call, and delivers the message again after each kill. */
async function killEach(
  moment: 'before' | 'after',
  message: (n: number) => Promise<string>,
  check: (n: number, label: string) => Promise<void>,
): Promise<void> {
  hideKills();
  let kills = 0;
  for (let n = 1; ; n++) {
    const body = await message(n);
    sent.splice(0);
    const wasKilled = await killAt(n, moment, () => deliverMessages([body]), 'events-incoming');
    await deliverMessages([body]);
    await deliverMessages([body]);
    clock.advance(2 * 60_000);
    await drain();
    await check(n, `killed ${moment} call ${n}`);
    if (!wasKilled) break;
    kills += 1;
  }
  expect(kills).toBeGreaterThan(5);
}

test.each(['before', 'after'] as const)(
  'the receiver is killed %s each call: a reply becomes one comment with one document',
  async (moment) => {
    const { account, reply, comments, documents } = await world();
    await killEach(
      moment,
      (n) => storeMail({ to: reply, from: 'Bob <bob@example.com>', ...withFiles(`Hello ${n}`) }),
      async (n, label) => {
        expect(
          (await comments()).filter(({ body }) => body === `Hello ${n}`),
          label,
        ).toHaveLength(1);
        // A ticket accepts a limited number of documents, so each mail is compared with the one before.
        expect(await documents(), label).toHaveLength(n);
        expect(await mails.newest(account, 100), label).toHaveLength(n + 1 + 1);
      },
    );
  },
);

test.each(['before', 'after'] as const)(
  'the receiver is killed %s each call: a mail to an address for leads opens one lead',
  async (moment) => {
    const { account, directKey } = await world();
    const inbound = await addressOf(account, { address: 'sales@acme.test', purpose: 'leads' });
    const sender = (n: number) => `grace${n}@example.com`;
    await killEach(
      moment,
      (n) => storeMail({ to: inbound, from: `Grace Hopper <${sender(n)}>`, ...withFiles(`Hello ${n}`) }),
      async (n, label) => {
        const { data } = await directKey.ok(listLeads, { query: { pageSize: 100 } });
        expect(
          data.filter(({ email }) => email === sender(n)),
          label,
        ).toMatchObject([{ source: 'Email' }]);
        // The first mail and its automatic reply are older.
        expect(await mails.newest(account, 100), label).toHaveLength(n + 2);
      },
    );
  },
);

test.each(['before', 'after'] as const)(
  'the receiver is killed %s each call: a delivery report bounces its mail once, and opens no ticket',
  async (moment) => {
    const { account, inbound, tickets, directKey, ticketId, thread } = await world();
    const ticketCount = (await tickets()).length;
    const to = ['bob@example.com'];
    const mailed: number[] = [];
    const bounceOf = async (n: number) => {
      const { id } = await directKey.ok(sendTicketMail, {
        params: { ticketId },
        body: { to, body: `Mail ${n}` },
      });
      await drain();
      mailed[n] = id;
      const messageId = await newMessageId(account, thread, 'bob@example.com', id);
      return storeMail(
        reportAbout(inbound, { returned: { 'Message-ID': messageId }, recipient: 'bob@example.com' }),
      );
    };
    await killEach(moment, bounceOf, async (n, label) => {
      const mail = await mails.find(account, mailed[n] ?? 0);
      expect(mail, label).toMatchObject({ state: 'bounced', bounces: [{ kind: 'permanent' }] });
      const bounced = await storedHappenings(account, 'mail_bounced');
      expect(
        bounced.filter(({ recordId }) => recordId === mailed[n]),
        label,
      ).toHaveLength(1);
      expect(await tickets(), label).toHaveLength(ticketCount);
      expect(sent, label).toEqual([]);
      const all = await mails.newest(account, 100);
      expect(
        all.filter(({ state }) => state === 'report'),
        label,
      ).toHaveLength(n);
    });
  },
);

test.each(['before', 'after'] as const)(
  'the receiver is killed %s each call: a new mail opens one ticket and gets one automatic reply',
  async (moment) => {
    const { inbound, tickets } = await world();
    const sender = (n: number) => `ada${n}@example.com`;
    await killEach(
      moment,
      (n) => storeMail({ to: inbound, from: `Ada <${sender(n)}>`, ...withFiles(`Hello ${n}`) }),
      async (n, label) => {
        const own = (await tickets()).filter(({ requesterEmail }) => requesterEmail === sender(n));
        expect(own, label).toMatchObject([{ attachmentCount: 1 }]);
        expect(
          sent.map(({ to }) => to),
          label,
        ).toEqual([sender(n)]);
      },
    );
  },
);
