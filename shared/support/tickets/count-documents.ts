import type { DocumentParent, DocumentResource } from '../../documents/document-resource.ts';
import { changeTicket } from './change-ticket.ts';
import { documentsOfTickets } from './documents.ts';
import { ticketEvents } from './events.ts';
import { contextOf } from './patch-ticket.ts';
import { tickets } from './store.ts';
import type { StoredTicket } from './stored-ticket.ts';

/** Updates the number of documents on the ticket. As in every change, overdue targets are marked as breached. */
const onFilesChanged: DocumentParent<StoredTicket>['onFilesChanged'] = async (
  ticket,
  { uploads },
  request,
) => {
  const more = [...uploads.values()].reduce((sum, amount) => sum + amount, 0);
  if (more === 0) return { writes: [], events: [] };
  const changed = changeTicket(ticket, { attachments: more > 0 ? 1 : -1 }, await contextOf(ticket, request));
  return { writes: tickets.change(changed), events: ticketEvents(changed) };
};

/** Used by endpoints that change the number of documents of a ticket. */
export const countedDocumentsOfTickets: DocumentResource<StoredTicket> = {
  ...documentsOfTickets,
  parent: { ...documentsOfTickets.parent, emits: ['ticket_updated'], onFilesChanged },
};
