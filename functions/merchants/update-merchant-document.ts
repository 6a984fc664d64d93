import { reviewDocument } from '../../shared/documents/document-endpoints.ts';
import { documentsOfMerchants } from '../../shared/sales/merchants/documents.ts';

export default reviewDocument(documentsOfMerchants, {
  summary: 'Approve, reject or rename a document of a merchant',
  description: 'A rejection requires a reason.',
});
