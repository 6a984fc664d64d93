import { reviewDocument } from '../../shared/documents/document-endpoints.ts';
import { countedDocumentsOfTickets } from '../../shared/support/tickets/count-documents.ts';

export default reviewDocument(countedDocumentsOfTickets, {
  summary: 'Approve, reject or rename a document of a ticket',
  description: 'A rejection needs a reason.',
});
