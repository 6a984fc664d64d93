import { listDocuments } from '../../shared/documents/document-endpoints.ts';
import { documentsOfApplications } from '../../shared/sales/applications/documents/documents.ts';

export default listDocuments(documentsOfApplications, { summary: 'List the documents of an application' });
