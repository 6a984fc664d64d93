import type { DocumentParent } from '../../documents/document-parent.ts';
import type { DocumentsOf } from '../../documents/documents-of.ts';
import { changeTicket } from './change-ticket.ts';
import { documentsOfTickets } from './documents.ts';
import { ticketEvents } from './events.ts';
import { contextOf } from './patch-ticket.ts';
import { tickets } from './store.ts';
import type { StoredTicket } from './stored-ticket.ts';

/** The ticket says how many of its files count, and like every change of it this one settles its clock. */
const follow: DocumentParent<StoredTicket>['follow'] = async (ticket, { uploads }, request) => {
  const more = [...uploads.values()].reduce((sum, amount) => sum + amount, 0);
  if (more === 0) return { writes: [], events: [] };
  const changed = changeTicket(ticket, { attachments: more > 0 ? 1 : -1 }, await contextOf(ticket, request));
  return { writes: tickets.change(changed), events: ticketEvents(changed) };
};

/** The documents of tickets, for what changes which of them count. */
export const countedDocumentsOfTickets: DocumentsOf<StoredTicket> = {
  ...documentsOfTickets,
  parent: { ...documentsOfTickets.parent, emits: ['ticket_updated'], follow },
};
