import { completeUpload } from '../../shared/documents/document-endpoints.ts';
import { countedDocumentsOfTickets } from '../../shared/support/tickets/count-documents.ts';

export default completeUpload(countedDocumentsOfTickets, {
  summary: 'Complete the upload of a ticket document',
  description:
    'Attaches the uploaded file to the document if the file matches its content type. A repeated request returns the same response.',
});
