import { deleteDocument } from '../../shared/http/document-endpoints.ts';
import { documentsOfMerchants } from '../../shared/merchants/documents.ts';

export default deleteDocument(documentsOfMerchants, {
  summary: 'Delete a document of a merchant, with its file',
});
