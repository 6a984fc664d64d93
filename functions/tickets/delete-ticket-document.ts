import { deleteDocument } from '../../shared/documents/document-endpoints.ts';
import { countedDocumentsOfTickets } from '../../shared/support/tickets/count-documents.ts';

export default deleteDocument(countedDocumentsOfTickets, {
  summary: 'Delete a ticket document and its file',
});
