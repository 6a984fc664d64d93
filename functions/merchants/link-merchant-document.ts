import { linkDocument } from '../../shared/documents/document-endpoints.ts';
import { documentsOfMerchants } from '../../shared/sales/merchants/documents.ts';

export default linkDocument(documentsOfMerchants, {
  summary: 'Get a download URL for the file of a merchant’s document',
  description: 'The URL is valid for five minutes and needs no authentication.',
});
