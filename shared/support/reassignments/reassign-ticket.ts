import { accounts } from '../../accounts/store.ts';
import { unassigned } from '../../people/users/unassigned.ts';
import { openStatuses } from '../../sla/schema.ts';
import { readOnce } from '../../table/list-source.ts';
import { authoredBy } from '../../table/revise.ts';
import { ticketTypes } from '../ticket-types/store.ts';
import { assignByTurn, assignmentBy, type NewAssignment, readTurn } from '../tickets/assign-ticket.ts';
import { changeTicket } from '../tickets/change-ticket.ts';
import { ticketEvents } from '../tickets/events.ts';
import { contextOf } from '../tickets/patch-ticket.ts';
import { tickets } from '../tickets/store.ts';
import type { StoredTicket } from '../tickets/stored-ticket.ts';
import type { ReassignmentRun, RecordChanger } from './record-changer.ts';
import { byRotation } from './start-reassignment.ts';

/** Reassigns open tickets. The rotation of a ticket advances once, even if the change runs again after a conflict. */
export function ticketChanger({ account, content, now }: ReassignmentRun): RecordChanger {
  const { from, to, actor } = content;
  const author = authoredBy(actor.user, now);
  const accountRecord = readOnce(() => accounts.get(account));
  const turnOf = cached(async (ticketTypeId: string | undefined) => {
    const type =
      ticketTypeId === undefined ? undefined : await ticketTypes.findByReference(account, ticketTypeId);
    return readTurn(account, type);
  });
  const byTurn = async ({ ticketTypeId }: StoredTicket): Promise<NewAssignment> => {
    const turn = await turnOf(ticketTypeId);
    return turn
      ? assignByTurn(author, turn, 'reassigned')
      : assignmentBy(author, 'reassigned', { reason: 'no_turn' });
  };
  const turns = new Map<number, Promise<NewAssignment>>();
  const assignmentOf = async (ticket: StoredTicket): Promise<NewAssignment> => {
    if (to !== byRotation)
      return assignmentBy(author, 'reassigned', to === unassigned ? {} : { assignedTo: to });
    const turn = turns.get(ticket.id) ?? byTurn(ticket);
    turns.set(ticket.id, turn);
    return turn;
  };
  return {
    async decide(id) {
      const ticket = await tickets.find(account, id);
      if (ticket?.assignedTo !== from || !openStatuses.includes(ticket.status)) return undefined;
      const { assignedTo = null, assignment } = await assignmentOf(ticket);
      const context = await contextOf(ticket, {
        accountRecord: await accountRecord(),
        ...author,
      });
      const changed = changeTicket(ticket, { assignedTo, assignment }, context);
      return { writes: tickets.change(changed), events: ticketEvents(changed) };
    },
  };
}

function cached<K, V>(read: (key: K) => Promise<V>): (key: K) => Promise<V> {
  const known = new Map<K, Promise<V>>();
  return (key) => {
    const reading = known.get(key) ?? read(key);
    known.set(key, reading);
    return reading;
  };
}
