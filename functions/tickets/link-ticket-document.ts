import { linkDocument } from '../../shared/documents/document-endpoints.ts';
import { documentsOfTickets } from '../../shared/support/tickets/documents.ts';

export default linkDocument(documentsOfTickets, {
  summary: 'Get a download link for a ticket document',
  description: 'The link is valid for five minutes and needs no authentication. Browsers save the file.',
});
