import { requestUpload } from '../../shared/documents/document-endpoints.ts';
import { documentsOfApplications } from '../../shared/sales/applications/documents/documents.ts';

export default requestUpload(documentsOfApplications, {
  summary: 'Create a document of an application and get an upload request',
  description:
    'Send the request in `upload` unchanged, with the file as the body, within 15 minutes. The upload fails if the file does not have the given size and sha256. Then complete the document.',
});
