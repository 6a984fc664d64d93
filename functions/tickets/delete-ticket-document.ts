import { deleteDocument } from '../../shared/http/document-endpoints.ts';
import { countedDocumentsOfTickets } from '../../shared/tickets/count-documents.ts';

export default deleteDocument(countedDocumentsOfTickets, {
  summary: 'Delete a document of a ticket, with its file',
});
