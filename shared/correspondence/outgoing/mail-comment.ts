import type { StoredAccount } from '../../accounts/schema.ts';
import type { Effects } from '../../events/envelope.ts';
import type { StoredTicketComment } from '../../support/ticket-comments/schema.ts';
import type { StoredTicket } from '../../support/tickets/stored-ticket.ts';
import type { Authored } from '../../table/revise.ts';
import { mailAddresses } from '../addresses/store.ts';
import type { MailPerson } from '../mails/schema.ts';
import { newThread, type StoredThread } from '../threads/schema.ts';
import { serviceMailDomain } from '../threads/service-mail-domain.ts';
import { threads } from '../threads/store.ts';
import { threadOf } from '../threads/thread-record.ts';
import { customerOf } from './customer.ts';
import { queueMail } from './queue-mail.ts';
import { subjectIn } from './references.ts';
import { senderFor } from './sender-address.ts';

/** How a comment is mailed: the sender, the requester of the ticket, and the thread as it was read. */
interface CommentMailing {
  from: MailPerson;
  customer: MailPerson;
  before: StoredThread | undefined;
}

/**
 * Returns how a comment on a ticket is mailed to the requester, or undefined if it is not mailed: it is internal or by a
 * customer, the account has not switched the mails on, the requester has no address, or a partner created the ticket, which
 * receives the comment instead.
 */
export async function mailingOf(
  ticket: StoredTicket,
  {
    visibility = 'public',
    authorType = 'staff',
  }: Partial<Pick<StoredTicketComment, 'visibility' | 'authorType'>>,
  account: StoredAccount,
): Promise<CommentMailing | undefined> {
  const isSent = visibility === 'public' && authorType === 'staff' && account.mail?.commentsByMail === true;
  const of = { recordType: 'ticket', record: ticket } as const;
  const customer = customerOf(of);
  if (!isSent || !customer || ticket.partnerTicketId !== undefined || serviceMailDomain() === undefined)
    return undefined;
  const [before, addresses] = await Promise.all([
    threads.find(ticket.accountId, threadOf(of)),
    mailAddresses.all(ticket.accountId),
  ]);
  const from = senderFor(threadOf(of), addresses, account);
  return from && { from, customer, before };
}

/** Returns the writes and events that mail a comment. The text of the mail is the text of the comment. */
export async function mailComment(
  ticket: StoredTicket,
  comment: StoredTicketComment,
  { from, customer, before }: CommentMailing,
  request: Authored,
): Promise<Effects> {
  const of = threadOf({ recordType: 'ticket', record: ticket });
  const thread = before ?? newThread(ticket.accountId, of, ticket.subject);
  const { writes, events } = await queueMail(
    {
      ...{ thread, from, to: [customer], automatic: false },
      subject: subjectIn(thread),
      text: comment.body,
      commentId: comment.id,
    },
    { ...request, account: ticket.accountId },
  );
  return { writes: [...threads.put(before, thread), ...writes], events };
}
