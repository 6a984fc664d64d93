import { completeUpload } from '../../shared/documents/document-endpoints.ts';
import { documentsOfApplications } from '../../shared/sales/applications/documents.ts';

export default completeUpload(documentsOfApplications, {
  summary: 'Complete a document of an application after its file was uploaded',
  description:
    'The file counts from then on, unless it is not what its content type says. A second time the response is the same.',
});
