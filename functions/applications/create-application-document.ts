import { documentsOfApplications } from '../../shared/applications/documents.ts';
import { requestUpload } from '../../shared/http/document-endpoints.ts';

export default requestUpload(documentsOfApplications, {
  summary: 'Describe a file of an application, to upload it',
  description:
    'Send the file with the request in `upload`, exactly as it is there, within 15 minutes. It stores nothing but the very bytes that were described. Then complete the document.',
});
