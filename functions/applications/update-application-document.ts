import { reviewDocument } from '../../shared/documents/document-endpoints.ts';
import { documentsOfApplications } from '../../shared/sales/applications/documents/documents.ts';

export default reviewDocument(documentsOfApplications, {
  summary: 'Approve, reject or rename a document of an application',
  description: 'A rejection requires a reason. A rejected file does not count toward the required documents.',
});
