import { completeUpload } from '../../shared/documents/document-endpoints.ts';
import { documentsOfMerchants } from '../../shared/sales/merchants/documents.ts';

export default completeUpload(documentsOfMerchants, {
  summary: 'Complete a document of a merchant after the upload',
  description:
    'Checks the uploaded file. Fails if the file does not match the contentType of the document. A repeated request returns the same response.',
});
