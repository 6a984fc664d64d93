import { deleteDocument } from '../../shared/documents/document-endpoints.ts';
import { documentsOfApplications } from '../../shared/sales/applications/documents/documents.ts';

export default deleteDocument(documentsOfApplications, {
  summary: 'Delete a document of an application, with its file',
});
