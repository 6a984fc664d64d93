import { completeUpload } from '../../shared/documents/document-endpoints.ts';
import { countedDocumentsOfTickets } from '../../shared/support/tickets/count-documents.ts';

export default completeUpload(countedDocumentsOfTickets, {
  summary: 'Complete a document of a ticket after its file was uploaded',
  description:
    'The document has a file from then on, unless that is not what its content type says. A second time the response is the same.',
});
