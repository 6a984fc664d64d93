import { reviewDocument } from '../../shared/http/document-endpoints.ts';
import { documentsOfMerchants } from '../../shared/merchants/documents.ts';

export default reviewDocument(documentsOfMerchants, {
  summary: 'Approve, reject or rename a document of a merchant',
  description: 'A rejection needs a reason.',
});
