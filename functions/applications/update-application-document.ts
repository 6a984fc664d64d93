import { reviewDocument } from '../../shared/documents/document-endpoints.ts';
import { documentsOfApplications } from '../../shared/sales/applications/documents.ts';

export default reviewDocument(documentsOfApplications, {
  summary: 'Approve, reject or rename a document of an application',
  description: 'A rejection needs a reason, and a file that is rejected does not count.',
});
