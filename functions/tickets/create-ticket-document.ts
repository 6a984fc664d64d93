import { requestUpload } from '../../shared/http/document-endpoints.ts';
import { documentsOfTickets } from '../../shared/tickets/documents.ts';

export default requestUpload(documentsOfTickets, {
  summary: 'Describe a file of a ticket, to upload it',
  description:
    'Send the file with the request in `upload`, exactly as it is there, within 15 minutes. It stores nothing but the very bytes that were described. Then complete the document.',
});
