import { reviewDocument } from '../../shared/documents/document-endpoints.ts';
import { countedDocumentsOfTickets } from '../../shared/support/tickets/count-documents.ts';

export default reviewDocument(countedDocumentsOfTickets, {
  summary: 'Approve, reject or rename a ticket document',
  description: 'A rejection requires a reason.',
});
