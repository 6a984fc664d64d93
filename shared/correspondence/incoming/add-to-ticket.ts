import type { StoredAccount } from '../../accounts/schema.ts';
import type { StoredDocument } from '../../documents/schema.ts';
import { type RunOnce, runEachTime } from '../../endpoints/run-once.ts';
import type { Effects } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import { changeByComment, commentAdded, newComment } from '../../support/ticket-comments/new-comment.ts';
import type { Visibility } from '../../support/ticket-comments/schema.ts';
import { ticketComments } from '../../support/ticket-comments/store.ts';
import { changeTicket, type TicketChange } from '../../support/tickets/change-ticket.ts';
import { ticketEvents } from '../../support/tickets/events.ts';
import { contextOf, decideChange } from '../../support/tickets/patch-ticket.ts';
import { reassignmentFor } from '../../support/tickets/reassign-on-reopen.ts';
import { tickets } from '../../support/tickets/store.ts';
import type { StoredTicket } from '../../support/tickets/stored-ticket.ts';
import type { Write } from '../../table/operations.ts';
import type { Authored } from '../../table/revise.ts';
import { documentEvents, documentWrites } from './store-attachments.ts';

/** The comment that a mail adds to a ticket. */
interface MailedComment {
  author: string;
  text: string;
  visibility: Visibility;
  documents?: readonly StoredDocument[];
  /** The comment that the new comment replaces. */
  replaces?: { id: number; visibility: Visibility };
}

/** The request of the change. `now` is the time of the mail's receipt, from which the SLA clock resumes. */
interface TicketRequest extends Authored {
  accountRecord: StoredAccount;
  /** Default: effects that no transaction can undo are repeated after a conflict. */
  runOnce?: RunOnce;
}

/** A change of a record, and the id of the comment that it adds. */
export interface RecordEffects extends Effects {
  commentId?: number;
}

/**
 * Adds the text of a mail to a ticket, as a comment of the customer. A public comment resumes the SLA clock and reopens the
 * ticket. An internal comment, of a held or an automatic mail, does neither.
 */
export async function addToTicket(
  ticket: StoredTicket,
  { author, text, visibility, documents = [], replaces }: MailedComment,
  request: TicketRequest,
): Promise<RecordEffects> {
  const authored = notBefore(ticket, request);
  const body = { body: text, authorType: 'customer' as const, author, visibility };
  const effect: TicketChange =
    visibility === 'public' ? changeByComment(ticket, body) : { response: 'internal' };
  const change: TicketChange = {
    ...effect,
    ...(documents.length > 0 && { attachments: documents.length }),
    ...(replaces && { withdrawn: replaces.visibility }),
  };
  const reassignment = await reassignmentFor(ticket.accountId, ticket, change);
  const comment = newComment({ ...authored, account: ticket.accountId, body }, ticket);
  const changed = await decideChange(
    { ...authored, runOnce: request.runOnce ?? runEachTime },
    { ticket, change, reassignment },
  );
  return {
    writes: [
      ...tickets.change(changed),
      ticketComments.insert(comment),
      ...(replaces ? [removalOf(ticket, replaces)] : []),
      ...documentWrites(documents),
    ],
    events: [commentAdded(changed.after, comment), ...ticketEvents(changed), ...documentEvents(documents)],
    commentId: comment.id,
  };
}

/** Adds documents to a ticket, without a comment. */
export async function addDocumentsToTicket(
  ticket: StoredTicket,
  documents: readonly StoredDocument[],
  request: TicketRequest,
): Promise<RecordEffects> {
  if (documents.length === 0) return { writes: [], events: [] };
  const context = await contextOf(ticket, notBefore(ticket, request));
  const changed = changeTicket(ticket, { attachments: documents.length }, context);
  return {
    writes: [...tickets.change(changed), ...documentWrites(documents)],
    events: [...ticketEvents(changed), ...documentEvents(documents)],
  };
}

/** Removes the comment of a mail from its ticket, because the mail is moved to another record. */
export async function removeFromTicket(
  ticket: StoredTicket,
  comment: { id: number; visibility: Visibility },
  request: TicketRequest,
): Promise<RecordEffects> {
  const change: TicketChange = { withdrawn: comment.visibility };
  const changed = await decideChange(
    { ...notBefore(ticket, request), runOnce: request.runOnce ?? runEachTime },
    { ticket, change },
  );
  const { before, after } = changed;
  const events = ticketEvents(changed);
  // The number of comments is no field of events, but lists find a changed ticket only by an event about it.
  const changes = { commentCount: { from: before.commentCount, to: after.commentCount } };
  if (events.length === 0)
    events.push({ kind: 'ticket_updated', subject: subjectOf(tickets, after), data: { changes } });
  return { writes: [...tickets.change(changed), removalOf(ticket, comment)], events };
}

const removalOf = (
  { accountId, id: ticketId }: StoredTicket,
  comment: { id: number; visibility: Visibility },
): Write => ticketComments.remove({ accountId, ticketId, ...comment });

/** The time of a change is not before the ticket's last change. */
const notBefore = ({ updatedAt }: StoredTicket, request: TicketRequest): TicketRequest => ({
  ...request,
  now: new Date(Math.max(request.now.getTime(), Date.parse(updatedAt))),
});
