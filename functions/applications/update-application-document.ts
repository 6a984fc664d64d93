import { documentsOfApplications } from '../../shared/applications/documents.ts';
import { reviewDocument } from '../../shared/http/document-endpoints.ts';

export default reviewDocument(documentsOfApplications, {
  summary: 'Approve, reject or rename a document of an application',
  description: 'A rejection needs a reason, and a file that is rejected does not count.',
});
