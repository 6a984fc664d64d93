import { requestUpload } from '../../shared/documents/document-endpoints.ts';
import { documentsOfApplications } from '../../shared/sales/applications/documents.ts';

export default requestUpload(documentsOfApplications, {
  summary: 'Describe a file of an application, to upload it',
  description:
    'Send the file with the request in `upload`, exactly as it is there, within 15 minutes. It stores nothing but the very bytes that were described. Then complete the document.',
});
