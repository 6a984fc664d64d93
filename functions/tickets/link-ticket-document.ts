import { linkDocument } from '../../shared/http/document-endpoints.ts';
import { documentsOfTickets } from '../../shared/tickets/documents.ts';

export default linkDocument(documentsOfTickets, {
  summary: 'Get an address of the file of a ticket’s document',
  description: 'It is good for five minutes, for everybody who has it, and always downloads the file.',
});
