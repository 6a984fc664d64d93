import { completeUpload } from '../../shared/documents/document-endpoints.ts';
import { documentsOfApplications } from '../../shared/sales/applications/documents.ts';

export default completeUpload(documentsOfApplications, {
  summary: 'Complete a document of an application after the upload',
  description:
    'Checks the uploaded file. From then on, the file counts as a document of the application. Fails if the file does not match its contentType. Repeating the request is safe.',
});
