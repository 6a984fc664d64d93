import { listDocuments } from '../../shared/documents/document-endpoints.ts';
import { documentsOfTickets } from '../../shared/support/tickets/documents.ts';

export default listDocuments(documentsOfTickets, { summary: 'List the documents of a ticket' });
