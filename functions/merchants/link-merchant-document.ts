import { linkDocument } from '../../shared/documents/document-endpoints.ts';
import { documentsOfMerchants } from '../../shared/sales/merchants/documents.ts';

export default linkDocument(documentsOfMerchants, {
  summary: 'Get an address of the file of a merchant’s document',
  description: 'It is good for five minutes, for everybody who has it, and always downloads the file.',
});
