import { completeUpload } from '../../shared/documents/document-endpoints.ts';
import { documentsOfApplications } from '../../shared/sales/applications/documents/documents.ts';

export default completeUpload(documentsOfApplications, {
  summary: 'Complete a document of an application after the upload',
  description:
    'Checks the uploaded file. Fails if the file does not match the contentType of the document. Otherwise, the file counts toward the required documents of the application. A repeated request returns the same response.',
});
