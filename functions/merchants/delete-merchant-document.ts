import { deleteDocument } from '../../shared/documents/document-endpoints.ts';
import { documentsOfMerchants } from '../../shared/sales/merchants/documents.ts';

export default deleteDocument(documentsOfMerchants, {
  summary: 'Delete a document of a merchant, with its file',
});
