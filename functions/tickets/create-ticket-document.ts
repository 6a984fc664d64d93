import { requestUpload } from '../../shared/documents/document-endpoints.ts';
import { documentsOfTickets } from '../../shared/support/tickets/documents.ts';

export default requestUpload(documentsOfTickets, {
  summary: 'Create a ticket document and get an upload request',
  description:
    'Send the file within 15 minutes, with exactly the request in `upload`. Only the bytes that were described are accepted. Then complete the document.',
});
