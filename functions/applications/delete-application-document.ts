import { documentsOfApplications } from '../../shared/applications/documents.ts';
import { deleteDocument } from '../../shared/http/document-endpoints.ts';

export default deleteDocument(documentsOfApplications, {
  summary: 'Delete a document of an application, with its file',
});
