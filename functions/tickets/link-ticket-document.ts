import { linkDocument } from '../../shared/documents/document-endpoints.ts';
import { documentsOfTickets } from '../../shared/support/tickets/documents.ts';

export default linkDocument(documentsOfTickets, {
  summary: 'Get an address of the file of a ticket’s document',
  description: 'It is good for five minutes, for everybody who has it, and always downloads the file.',
});
