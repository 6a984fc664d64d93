import { completeUpload } from '../../shared/documents/document-endpoints.ts';
import { documentsOfMerchants } from '../../shared/sales/merchants/documents.ts';

export default completeUpload(documentsOfMerchants, {
  summary: 'Complete a document of a merchant after its file was uploaded',
  description:
    'The document has a file from then on, unless that is not what its content type says. A second time the response is the same.',
});
