import { documentsOfApplications } from '../../shared/applications/documents.ts';
import { listDocuments } from '../../shared/http/document-endpoints.ts';

export default listDocuments(documentsOfApplications, { summary: 'List the documents of an application' });
