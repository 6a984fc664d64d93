import { completeUpload } from '../../shared/documents/document-endpoints.ts';
import { documentsOfApplications } from '../../shared/sales/applications/documents.ts';

export default completeUpload(documentsOfApplications, {
  summary: 'Complete a document of an application after the upload',
  description:
    'Checks the uploaded file and fails if it does not match its contentType. Otherwise, the file counts as a document of the application. Repeating the request is safe.',
});
