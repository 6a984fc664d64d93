import { completeUpload } from '../../shared/documents/document-endpoints.ts';
import { countedDocumentsOfTickets } from '../../shared/support/tickets/count-documents.ts';

export default completeUpload(countedDocumentsOfTickets, {
  summary: 'Complete the upload of a ticket document',
  description:
    'Checks the uploaded file. Fails if the file does not match the contentType of the document. A repeated request returns the same response.',
});
