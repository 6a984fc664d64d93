import { expect, test } from 'vitest';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import sendTicketMail from '../../functions/tickets/send-ticket-mail.ts';
import type { StoredMail } from '../../shared/correspondence/mails/schema.ts';
import { drain } from '../harness/drain.ts';
import { killStep } from '../harness/heavy.ts';
import { firstKill, hideKills, killAt } from '../harness/kill.ts';
import { recover } from '../harness/pass-time.ts';
import { acceptedMails, mailingTenant, storedMails, ticketOf } from './outgoing-world.ts';

const sent = acceptedMails();

/** Returns the messages of a mail. Killed functions of earlier rounds may send other mails at the same time. */
const messagesOf = ({ id }: StoredMail) => sent.filter(({ tags }) => tags.mail === String(id));

test.each(['before', 'after'] as const)(
  'the sender is killed %s a call: every recipient of a mail gets it, and only one twice, which the record says',
  async (moment) => {
    hideKills();
    const acme = await mailingTenant();
    const to = ['ada@example.com', 'bob@example.com', 'eve@example.com'];
    let kills = 0;
    for (let n = firstKill(moment, killStep); ; n += killStep) {
      const { uniqueId: ticketId } = await ticketOf(acme);
      await acme.directKey.ok(sendTicketMail, { params: { ticketId }, body: { to, body: `Hello ${n}` } });
      const wasKilled = await killAt(n, moment, drain, 'events-outgoing');
      await recover();
      const label = `killed ${moment} call ${n}`;
      const mail = (await storedMails(acme)).find(({ text }) => text === `Hello ${n}`) ?? expect.fail(label);
      const counts = to.map((address) => messagesOf(mail).filter((one) => one.to === address).length);
      const repeated = mail.deliveries?.map((one) => one.repeated === true) ?? [];
      expect(mail.deliveries, label).toMatchObject(to.map((address) => ({ address, state: 'sent' })));
      for (const [index, count] of counts.entries())
        expect(repeated[index] ? [1, 2] : [1], label).toContain(count);
      expect(await acme.directKey.ok(readTicket, { params: { ticketId } }), label).toMatchObject({
        responseCount: 1,
      });
      if (!wasKilled) break;
      kills += 1;
    }
    expect(kills).toBeGreaterThan(2);
  },
);

test.each(['before', 'after'] as const)(
  'the sender is killed %s each call: the mail is sent, and only once unless the record says that it may have arrived twice',
  async (moment) => {
    hideKills();
    const acme = await mailingTenant();
    let kills = 0;
    for (let n = 1; ; n++) {
      const { uniqueId: ticketId } = await ticketOf(acme);
      await acme.directKey.ok(createTicketComment, { params: { ticketId }, body: { body: `Hello ${n}` } });
      const wasKilled = await killAt(n, moment, drain, 'events-outgoing');
      await recover();
      const label = `killed ${moment} call ${n}`;
      const mail = (await storedMails(acme)).find(({ text }) => text === `Hello ${n}`) ?? expect.fail(label);
      const [delivery] = mail.deliveries ?? [];
      expect(delivery?.state, label).toBe('sent');
      if (delivery?.repeated) expect([1, 2], label).toContain(messagesOf(mail).length);
      else expect(messagesOf(mail), label).toHaveLength(1);
      // The ticket counts one response, however often the mail was sent.
      expect(await acme.directKey.ok(readTicket, { params: { ticketId } }), label).toMatchObject({
        responseCount: 1,
        slaFirstResponseMet: true,
      });
      if (!wasKilled) break;
      kills += 1;
    }
    expect(kills).toBeGreaterThan(5);
  },
);
