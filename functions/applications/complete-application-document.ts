import { documentsOfApplications } from '../../shared/applications/documents.ts';
import { completeUpload } from '../../shared/http/document-endpoints.ts';

export default completeUpload(documentsOfApplications, {
  summary: 'Complete a document of an application after its file was uploaded',
  description:
    'The file counts from then on, unless it is not what its content type says. A second time the response is the same.',
});
