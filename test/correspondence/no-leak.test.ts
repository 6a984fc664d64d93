import fc from 'fast-check';
import { expect, test } from 'vitest';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import sendTicketMail from '../../functions/tickets/send-ticket-mail.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import { mailAddresses } from '../../shared/correspondence/addresses/store.ts';
import { replyAddress } from '../../shared/correspondence/threads/thread-token.ts';
import { secrets } from '../body-capture/secrets.ts';
import { drain } from '../harness/drain.ts';
import { escaped } from '../harness/escaped.ts';
import { mailSequences } from '../harness/heavy.ts';
import { received } from './incoming-mail.ts';
import { acceptedMails, addAddress, mailingTenant, readMessage, ticketOf } from './outgoing-world.ts';

const sent = acceptedMails();
const ada = 'ada@example.com';

/** A step about a ticket. `secret` is the number of a sensitive value in its text; undefined if there is none. */
const step = fc.record({
  kind: fc.constantFrom(
    'public comment',
    'internal comment',
    'mail',
    'reply',
    'mail of a stranger',
    'new mail',
    'status',
  ),
  secret: fc.option(fc.nat(secrets.length - 1), { nil: undefined }),
});

/** Finds a text. A number is not found in a longer one, because ids contain any digits. */
const alone = (text: string): RegExp => new RegExp(`(?<!\\d)${escaped(text)}(?!\\d)`);

test('no outgoing mail contains a text of an internal comment or a sensitive value, and every public text is mailed', async () => {
  const acme = await mailingTenant();
  const { accountId: account, key } = acme;
  const own = await addAddress(acme, { address: 'desk@acme.example', autoReply: { text: 'Thank you.' } });
  const inbound = mailAddresses.show(own).inboundAddress ?? '';
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
      const { id, uniqueId: ticketId } = await ticketOf(acme);
      const params = { ticketId };
      const to = await replyAddress(account, { recordType: 'ticket', recordId: String(id) }, ada);
      sent.splice(0);
      const [mailed, hidden]: [string[], string[]] = [[], []];
      for (const { kind, secret } of steps) {
        const { text = '', hidden: parts = [] } = secret === undefined ? {} : (secrets[secret] ?? {});
        const word = `word${++count}word`;
        const body = `The ${word} is ${text} today.`;
        hidden.push(...parts);
        switch (kind) {
          case 'public comment':
            await key.ok(createTicketComment, { params, body: { body } });
            mailed.push(word);
            break;
          case 'internal comment':
            await key.ok(createTicketComment, { params, body: { body, visibility: 'internal' } });
            hidden.push(word);
            break;
          case 'mail': {
            const { status } = await key.call(sendTicketMail, { params, body: { body } });
            // A mail with a sensitive value is rejected.
            expect(status).toBe(secret === undefined ? 201 : 400);
            (status === 201 ? mailed : hidden).push(word);
            break;
          }
          case 'reply':
            await received(account, { to, body });
            hidden.push(word);
            break;
          case 'mail of a stranger':
            await received(account, { to, body, from: `eve${count}@evil.test` });
            hidden.push(word);
            break;
          case 'new mail':
            await received(account, { to: inbound, body, from: `new${count}@example.com` });
            hidden.push(word);
            break;
          default:
            await key.ok(updateTicket, { params, body: { status: count % 2 ? 'waiting_customer' : 'open' } });
        }
      }
      await drain();
      const messages = await Promise.all(sent.map(readMessage));
      const texts = messages.map((one) => JSON.stringify(one));
      for (const word of mailed)
        expect(
          texts.filter((text) => text.includes(word)),
          word,
        ).toHaveLength(1);
      for (const part of hidden) {
        const forms = [JSON.stringify(part).slice(1, -1), part.replaceAll('&', '&amp;')].map(alone);
        for (const text of texts)
          expect(
            forms.some((form) => form.test(text)),
            part,
          ).toBe(false);
      }
    }),
    { numRuns: mailSequences },
  );
});
