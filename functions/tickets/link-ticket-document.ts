import { linkDocument } from '../../shared/documents/document-endpoints.ts';
import { documentsOfTickets } from '../../shared/support/tickets/documents.ts';

export default linkDocument(documentsOfTickets, {
  summary: 'Get a download link for a ticket document',
  description: 'The link works for five minutes for anyone who has it, and always downloads the file.',
});
