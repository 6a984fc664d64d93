import { accountPolicy } from '../accounts/policy-of.ts';
import { accounts } from '../accounts/store.ts';
import { ApiError } from '../errors.ts';
import type { Effects } from '../events/envelope.ts';
import type { AccountId } from '../id/account-id.ts';
import { uniqueIdOf } from '../id/unique-id.ts';
import { allPermissions } from '../resources/derived.ts';
import { applications } from '../sales/applications/store.ts';
import type { SignedIn } from '../security/principal.ts';
import { commentAdded, newComment, readForComment } from '../support/ticket-comments/new-comment.ts';
import { ticketComments } from '../support/ticket-comments/store.ts';
import { mappings } from '../support/ticket-type-mappings/store.ts';
import type { StoredTicketType } from '../support/ticket-types/schema.ts';
import { ticketTypes } from '../support/ticket-types/store.ts';
import { ticketCreated, ticketEvents } from '../support/tickets/events.ts';
import { newTicket, readReferences, takeNumberAndTurn } from '../support/tickets/new-ticket.ts';
import { decideChange } from '../support/tickets/patch-ticket.ts';
import type { TicketInput } from '../support/tickets/schema.ts';
import { tickets } from '../support/tickets/store.ts';
import type { AttemptRun } from '../work-queue/work-handler.ts';
import { partnerActor } from './change-application.ts';
import type { PartnerEventData } from './event-schema.ts';
import { integrationErrorDraft } from './integration-error.ts';
import { connections, partnerTickets } from './store.ts';

/** The partner as a caller. It may create tickets of every type and refer to every record of the account. */
const partnerOf = (account: AccountId): SignedIn => ({
  kind: 'key',
  id: 0,
  home: account,
  log: account,
  actor: partnerActor,
  administrator: false,
  permissions: new Set(allPermissions),
});

const refusal = (account: AccountId, operation: 'ticket' | 'comment', reason: string): Effects => ({
  writes: [],
  events: [integrationErrorDraft(account, { operation, reason })],
});

/**
 * Creates a ticket for a support request of the partner. The ticket type is the type that the category is mapped to, or
 * the default type of the connection. If there is none, or the type needs more fields, an event reports it.
 */
export async function createPartnerTicket(
  account: AccountId,
  data: PartnerEventData,
  { now }: AttemptRun,
): Promise<Effects> {
  const { ticketId = '', categoryId = 0 } = data;
  if (await partnerTickets.find(account, ticketId)) return { writes: [], events: [] };
  const { type, serviceCategory } = await typeOf(account, categoryId);
  if (!type) {
    const reason = `The partner's category ${categoryId} has no ticket type, and the connection has no default type.`;
    return refusal(account, 'ticket', reason);
  }
  const [accountRecord, body] = await Promise.all([
    accounts.get(account),
    ticketFrom(account, data, uniqueIdOf('tty', type.id), serviceCategory),
  ]);
  const request = { account, principal: partnerOf(account), now, body };
  try {
    const references = await readReferences(account, body);
    const read = await references.forCaller(request.principal);
    const { draft } = newTicket(request, references, read, accountPolicy(accountRecord));
    const taken = await takeNumberAndTurn(request, references);
    const ticket = { ...draft.ticket, ...taken, partnerTicketId: ticketId };
    return {
      writes: [...tickets.insert({ ...draft, ticket }), partnerTickets.insert(account, ticketId, ticket.id)],
      events: ticketCreated(ticket),
    };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'busy') throw error;
    const details = error.details?.map(({ field, message }) => `${field} ${message}`).join('; ');
    return refusal(
      account,
      'ticket',
      `The ticket could not be created: ${details ?? error.message}`.slice(0, 1000),
    );
  }
}

async function typeOf(
  account: AccountId,
  categoryId: number,
): Promise<{ type?: StoredTicketType; serviceCategory?: TicketInput['category'] }> {
  const mapping = await mappings.findByCategory(account, categoryId);
  const mapped = mapping && (await ticketTypes.findByReference(account, mapping.serviceTicketTypeId));
  if (mapped?.isActive) return { type: mapped, serviceCategory: mapping?.serviceCategoryEnum };
  const { defaultTicketTypeId } = (await connections.find(account)) ?? {};
  const type =
    defaultTicketTypeId === undefined
      ? undefined
      : await ticketTypes.findByReference(account, defaultTicketTypeId);
  return type?.isActive ? { type } : {};
}

/** The body of a POST /tickets. An application of the account becomes a link of the ticket, with its merchant. */
async function ticketFrom(
  account: AccountId,
  { ticketId = '', applicationId, subject = '', description = '', priority, ...requester }: PartnerEventData,
  ticketTypeId: string,
  category: TicketInput['category'],
): Promise<TicketInput> {
  const application =
    applicationId === undefined ? undefined : await applications.find(account, applicationId);
  return {
    ticketTypeId,
    subject,
    description,
    source: 'api',
    ...(category && { category }),
    ...(priority && { priority }),
    requesterType: 'external',
    requesterId: ticketId,
    requesterName: requester.requesterName,
    requesterEmail: requester.requesterEmail,
    ...(application && { applicationId: application.id }),
  };
}

/**
 * Adds a comment of the partner to its ticket, as a comment of the customer. Returns undefined if the ticket does not
 * exist yet, because its event may arrive later.
 */
export async function addPartnerComment(
  account: AccountId,
  { ticketId = '', commentId = '', body: text = '', author }: PartnerEventData,
  { now }: AttemptRun,
): Promise<Effects | undefined> {
  const id = await partnerTickets.find(account, ticketId);
  if (id === undefined) return undefined;
  if (await partnerTickets.hasComment(account, ticketId, commentId)) return { writes: [], events: [] };
  const ticket = await tickets.find(account, id);
  if (!ticket) return refusal(account, 'comment', 'The ticket of the comment was deleted.');
  const body = { body: text, authorType: 'customer' as const, author };
  const loaded = await readForComment(ticket, body);
  const accountRecord = await accounts.get(account);
  const request = { account, principal: partnerOf(account), now, body, accountRecord };
  const comment = newComment(request, loaded.ticket);
  const changed = await decideChange({ ...request, runOnce: (effect) => effect() }, loaded);
  return {
    writes: [
      ...tickets.change(changed),
      ticketComments.insert(comment),
      partnerTickets.insertComment(account, ticketId, commentId),
    ],
    events: [commentAdded(changed.after, comment), ...ticketEvents(changed)],
  };
}

/** The reason if the ticket of a comment still does not exist after the last retry. */
export const unknownTicket = (account: AccountId, ticketId: string): Effects =>
  refusal(account, 'comment', `The partner commented on the ticket ${ticketId}, which it did not create.`);
