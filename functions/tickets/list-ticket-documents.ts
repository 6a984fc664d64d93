import { listDocuments } from '../../shared/http/document-endpoints.ts';
import { documentsOfTickets } from '../../shared/tickets/documents.ts';

export default listDocuments(documentsOfTickets, { summary: 'List the documents of a ticket' });
