import { requestUpload } from '../../shared/documents/document-endpoints.ts';
import { documentsOfMerchants } from '../../shared/sales/merchants/documents.ts';

export default requestUpload(documentsOfMerchants, {
  summary: 'Describe a file of a merchant, to upload it',
  description:
    'Send the file with the request in `upload`, exactly as it is there, within 15 minutes. It stores nothing but the very bytes that were described. Then complete the document.',
});
