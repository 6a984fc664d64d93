import type { RunOnce } from '../../endpoints/run-once.ts';
import type { AccountId } from '../../id/account-id.ts';
import { isActiveMember } from '../../people/users/rules.ts';
import { memberships } from '../../people/users/store.ts';
import { type CountSlot, previewSlots } from '../../rotations/slots.ts';
import type { TicketStatus } from '../../sla/schema.ts';
import type { Authored } from '../../table/revise.ts';
import { ticketTypes } from '../ticket-types/store.ts';
import { assignByTurn, assignmentBy, type PendingTurn, turnFor } from './assign-ticket.ts';
import type { TicketChange } from './change-ticket.ts';
import type { StoredTicket } from './stored-ticket.ts';

const finished = (status: TicketStatus): boolean => status === 'resolved' || status === 'closed';

/** Whether a change opens a ticket again and says nothing of who is to have it. */
const reopens = ({ status: before }: StoredTicket, { status, assignedTo }: TicketChange): boolean =>
  status !== undefined && assignedTo === undefined && finished(before) && !finished(status);

/** A ticket that is reopened after its assignee left, and the turn it takes, if its type asks for one. */
export interface Reassignment {
  turn: PendingTurn | undefined;
}

/**
 * Reads what says who gets a ticket that a change reopens. Undefined, without a read, for any other change; and where the
 * assignee is an active member, who keeps it.
 */
export async function reassignmentFor(
  account: AccountId,
  ticket: StoredTicket,
  change: TicketChange,
): Promise<Reassignment | undefined> {
  const { assignedTo, ticketTypeId } = ticket;
  if (assignedTo === undefined || !reopens(ticket, change)) return undefined;
  const [assignee, type] = await Promise.all([
    memberships.find(account, Number(assignedTo)),
    ticketTypeId === undefined ? undefined : ticketTypes.findByReference(account, ticketTypeId),
  ]);
  return assignee && isActiveMember(assignee) ? undefined : { turn: await turnFor(account, type) };
}

/** The same for many tickets: what several of them need to know is read once. */
export function cachedReassignments(
  account: AccountId,
): (ticket: StoredTicket, change: TicketChange) => Promise<Reassignment | undefined> {
  const known = new Map<string, Promise<Reassignment | undefined>>();
  return (ticket, change) => {
    if (!reopens(ticket, change)) return Promise.resolve(undefined);
    const name = JSON.stringify([ticket.assignedTo, ticket.ticketTypeId]);
    const reading = known.get(name) ?? reassignmentFor(account, ticket, change);
    known.set(name, reading);
    return reading;
  };
}

/** A request that may give a reopened ticket to somebody else. */
export interface ReassigningRequest extends Authored {
  runOnce: RunOnce;
  /** Counts the slots of a dry run of several tickets. Left out: this is the only ticket. */
  previewSlot?: CountSlot;
}

/**
 * The change of a reopened ticket, with its new assignee. Takes the turn of its rotation, so call it after all that can
 * refuse the change. A ticket whose type asks for no turn is unassigned, because its assignee left.
 */
export async function reassignOnReopen(
  change: TicketChange,
  { turn }: Reassignment,
  request: ReassigningRequest,
): Promise<TicketChange> {
  const given = turn
    ? await request.runOnce(
        () => assignByTurn(request, turn, 'reopened'),
        () => assignByTurn(request, turn, 'reopened', request.previewSlot ?? previewSlots()),
      )
    : assignmentBy(request, 'reopened', { reason: 'no_turn' });
  const { assignedTo = null, assignment } = given;
  return { ...change, assignedTo, assignment };
}
