import { accountPolicy } from '../../accounts/policy-of.ts';
import { accounts } from '../../accounts/store.ts';
import type { Effects, EventDraft } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import { changeTicket } from '../../support/tickets/change-ticket.ts';
import { responseCounted, ticketEvents } from '../../support/tickets/events.ts';
import { policyFor } from '../../support/tickets/read-ticket.ts';
import { tickets } from '../../support/tickets/store.ts';
import { revise } from '../../table/revise.ts';
import type { Run } from '../../work-queue/work-handler.ts';
import { mailHappened } from '../mails/events.ts';
import type { MailDelivery, StoredMail } from '../mails/schema.ts';
import { withMessage } from '../threads/schema.ts';
import { threads } from '../threads/store.ts';
import { changeMail, type MailChange } from './change-mail.ts';
import { deliveryTo, withDelivery } from './deliveries.ts';
import type { MailSending } from './queue-mail.ts';
import { sesMessageId } from './references.ts';

/** The outcome of an attempt to send a mail to one recipient. */
type SendingOutcome =
  | { state: 'sent'; providerId: string; repeated?: true }
  | { state: 'failed' | 'unknown'; reason: string };

/**
 * Records an outcome on a mail. The first accepted message of a mail joins the thread with the Message-ID that its recipient
 * sees. If a person of the staff wrote the mail about a ticket, it is a response, in the same transaction.
 */
export async function recordOutcome(
  { mailId, address, account }: MailSending & { account: AccountId },
  outcome: SendingOutcome,
  run: Run,
): Promise<void> {
  await changeMail({ account, mailId }, run, async (mail) => {
    const known = deliveryTo(mail, address);
    if (!known) return undefined;
    if (isSettled(known))
      return isRepetition(known, outcome) ? withRepetition(mail, known, run.now) : undefined;
    const changed = withDelivery(mail, { address: known.address, ...outcome, at: run.now.toISOString() });
    const isFirst = outcome.state === 'sent' && mail.providerId === undefined;
    const after = revise(
      mail,
      { ...changed, ...(isFirst && { providerId: outcome.providerId, sentAt: run.now.toISOString() }) },
      { now: run.now },
    );
    return isFirst
      ? { after, ...(await acceptance(after, outcome.providerId, run.now)) }
      : { after, events: eventsOf(after, outcome) };
  });
}

/** Reports whether a delivery is not attempted again. An unknown outcome may be followed by one more attempt. */
export const isSettled = ({ state }: MailDelivery): boolean => state !== 'waiting' && state !== 'unknown';

/**
 * Reports whether SES accepted another message of a settled delivery. This happens if its event about a message whose response
 * was lost arrives while the next attempt sends.
 */
const isRepetition = ({ providerId, repeated }: MailDelivery, outcome: SendingOutcome): boolean =>
  !repeated && outcome.state === 'sent' && providerId !== undefined && outcome.providerId !== providerId;

function withRepetition(mail: StoredMail, known: MailDelivery, now: Date): MailChange {
  const after = revise(mail, withDelivery(mail, { ...known, repeated: true }), { now });
  return { after, events: mailHappened('mail_sent', after, {}) };
}

/** Every change has an event, because lists and the search index find changed mails only by events. */
const eventsOf = (mail: StoredMail, outcome: SendingOutcome): EventDraft[] =>
  outcome.state === 'sent'
    ? mailHappened('mail_sent', mail, {})
    : mailHappened('mail_failed', mail, { reason: outcome.reason });

/** Returns the writes and events of the acceptance of a mail, besides those of the mail itself. */
async function acceptance(mail: StoredMail, providerId: string, now: Date): Promise<Effects> {
  const { accountId: account, recordType, recordId } = mail;
  if (recordType === undefined || recordId === undefined) throw new Error('An outgoing mail has no thread.');
  const [thread, response] = await Promise.all([
    threads.find(account, { recordType, recordId }),
    responseOf(mail, now),
  ]);
  return {
    writes: [
      ...(thread ? threads.put(thread, withMessage(thread, sesMessageId(providerId))) : []),
      ...response.writes,
    ],
    events: [...mailHappened('mail_sent', mail, {}), ...response.events],
  };
}

/** Returns the change of the ticket by the first response of a person. Automatic mails are no response. */
async function responseOf(
  { accountId: account, recordType, recordId, automatic, createdBy = 'system' }: StoredMail,
  now: Date,
): Promise<Effects> {
  const none = { writes: [], events: [] };
  if (recordType !== 'ticket' || automatic) return none;
  const [ticket, accountRecord] = await Promise.all([
    tickets.find(account, Number(recordId)),
    accounts.get(account),
  ]);
  if (!ticket) return none;
  const changed = changeTicket(
    ticket,
    { response: 'accepted' },
    {
      now,
      actor: createdBy,
      policy: await policyFor(ticket, accountRecord),
      currentPolicy: accountPolicy(accountRecord),
    },
  );
  return { writes: tickets.change(changed), events: [...ticketEvents(changed), ...responseCounted(changed)] };
}
