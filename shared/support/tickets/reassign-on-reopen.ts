import type { RunOnce } from '../../endpoints/run-once.ts';
import type { AccountId } from '../../id/account-id.ts';
import { isActiveMember } from '../../people/users/rules.ts';
import { memberships } from '../../people/users/store.ts';
import { type CountSlot, previewSlots } from '../../rotations/slots.ts';
import type { TicketStatus } from '../../sla/schema.ts';
import type { Authored } from '../../table/revise.ts';
import { ticketTypes } from '../ticket-types/store.ts';
import { assignByTurn, assignmentBy, type PendingTurn, readTurn } from './assign-ticket.ts';
import type { TicketChange } from './change-ticket.ts';
import type { StoredTicket } from './stored-ticket.ts';

const finished = (status: TicketStatus): boolean => status === 'resolved' || status === 'closed';

/** Reports whether a change reopens a ticket without setting the assignee. */
const reopens = ({ status: before }: StoredTicket, { status, assignedTo }: TicketChange): boolean =>
  status !== undefined && assignedTo === undefined && finished(before) && !finished(status);

/** The reassignment of a reopened ticket whose assignee is not active. If `turn` is undefined, no one is assigned. */
export interface Reassignment {
  turn: PendingTurn | undefined;
}

/** Returns undefined if the change does not reopen the ticket, or if the ticket has no inactive assignee. */
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
  return assignee && isActiveMember(assignee) ? undefined : { turn: await readTurn(account, type) };
}

/** The same as `reassignmentFor` for many tickets. Caches the results by assignee and ticket type. */
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

export interface ReassigningRequest extends Authored {
  runOnce: RunOnce;
  /**
   * Counts slots in dry runs. The tickets of a bulk operation share this function, so that each ticket gets its own
   * slot. Default: a new `previewSlots()`.
   */
  previewSlot?: CountSlot;
}

/** Adds the new assignee to the change. Call this after all validation, because a slot of the rotation may be taken. */
export async function reassignOnReopen(
  change: TicketChange,
  { turn }: Reassignment,
  request: ReassigningRequest,
): Promise<TicketChange> {
  const reassigned = turn
    ? await request.runOnce(
        () => assignByTurn(request, turn, 'reopened'),
        () => assignByTurn(request, turn, 'reopened', request.previewSlot ?? previewSlots()),
      )
    : assignmentBy(request, 'reopened', { reason: 'no_turn' });
  const { assignedTo = null, assignment } = reassigned;
  return { ...change, assignedTo, assignment };
}
