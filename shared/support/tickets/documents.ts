import type { DocumentResource } from '../../documents/document-resource.ts';
import { TicketDocument } from '../../documents/schema.ts';
import { showTicketDocument, ticketDocuments } from '../../documents/store.ts';
import { idsOfTickets } from './read-ticket.ts';
import { TicketParams } from './schema.ts';
import { tickets } from './store.ts';
import type { StoredTicket } from './stored-ticket.ts';

/** The documents of tickets. Documents can be changed in every status of the ticket. */
export const documentsOfTickets: DocumentResource<StoredTicket> = {
  parent: {
    type: 'ticket',
    idFrom: async (text, account) => (await idsOfTickets(account, [text]))[0],
    get: (account, id) => tickets.get(account, Number(id)),
    checkAcceptsFiles: () => undefined,
    checkKey: () => undefined,
  },
  store: ticketDocuments,
  reach: 'ticket',
  path: '/tickets/{ticketId}',
  params: TicketParams.properties,
  keyName: 'type',
  item: TicketDocument,
  show: showTicketDocument,
  permissions: { read: 'readTickets', write: 'writeTickets', review: 'writeTickets' },
};
