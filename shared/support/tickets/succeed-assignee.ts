import type { AccountId } from '../../id/account-id.ts';
import { isActiveMember } from '../../people/users/rules.ts';
import { memberships } from '../../people/users/store.ts';
import { type CountSlot, foretellSlots } from '../../rotations/slots.ts';
import type { TicketStatus } from '../../sla/schema.ts';
import type { Authored } from '../../table/revise.ts';
import { ticketTypes } from '../ticket-types/store.ts';
import { type Given, givenBy, givenByTurn, turnFor, type Waiting } from './assign-ticket.ts';
import type { TicketChange } from './change-ticket.ts';
import type { StoredTicket } from './stored-ticket.ts';

const finished = (status: TicketStatus): boolean => status === 'resolved' || status === 'closed';

/** Whether a change opens a ticket again and says nothing of who is to have it. */
const reopens = ({ status: before }: StoredTicket, { status, assignedTo }: TicketChange): boolean =>
  status !== undefined && assignedTo === undefined && finished(before) && !finished(status);

/** A ticket that is reopened after its assignee left, and the turn it takes, if its type asks for one. */
export interface Succession {
  turn: Waiting | undefined;
}

/**
 * Reads what says who gets a ticket that a change reopens. Undefined, without a read, for any other change; and where the
 * assignee is an active member, who keeps it.
 */
export async function successionOf(
  account: AccountId,
  ticket: StoredTicket,
  change: TicketChange,
): Promise<Succession | undefined> {
  const { assignedTo, ticketTypeId } = ticket;
  if (assignedTo === undefined || !reopens(ticket, change)) return undefined;
  const [assignee, type] = await Promise.all([
    memberships.find(account, Number(assignedTo)),
    ticketTypeId === undefined ? undefined : ticketTypes.findByReference(account, ticketTypeId),
  ]);
  return assignee && isActiveMember(assignee) ? undefined : { turn: await turnFor(account, type) };
}

/** The same for many tickets: what several of them need to know is read once. */
export function successions(
  account: AccountId,
): (ticket: StoredTicket, change: TicketChange) => Promise<Succession | undefined> {
  const known = new Map<string, Promise<Succession | undefined>>();
  return (ticket, change) => {
    if (!reopens(ticket, change)) return Promise.resolve(undefined);
    const name = JSON.stringify([ticket.assignedTo, ticket.ticketTypeId]);
    const reading = known.get(name) ?? successionOf(account, ticket, change);
    known.set(name, reading);
    return reading;
  };
}

/** What was taken for a change that opens a ticket again: whom the turn fell on, if it took one. */
export interface TakenTurn {
  given?: Given;
}

/**
 * Takes the turn of a succession, after all that can refuse the change. Each call may use up a slot, so call it once for
 * each ticket and request.
 */
export const takeSuccession = async (
  author: Authored,
  { succession }: { succession?: Succession },
  countSlot?: CountSlot,
): Promise<TakenTurn> => ({
  given: succession?.turn && (await givenByTurn(author, succession.turn, 'reopened', countSlot)),
});

/** The turn that a succession would take. Takes none. */
export const foretellSuccession = (
  author: Authored,
  loaded: { succession?: Succession },
): Promise<TakenTurn> => takeSuccession(author, loaded, foretellSlots());

/**
 * A change with whom the ticket goes to. Where no turn was taken, because its type asks for none or another request
 * closed the ticket only just now, nobody has it, rather than somebody who left.
 */
export function withSuccessor(
  change: TicketChange,
  succession: Succession | undefined,
  taken: Given | undefined,
  author: Authored,
): TicketChange {
  if (!succession) return change;
  const { assignedTo = null, assignment } = taken ?? givenBy(author, 'reopened', { reason: 'no_turn' });
  return { ...change, assignedTo, assignment };
}
