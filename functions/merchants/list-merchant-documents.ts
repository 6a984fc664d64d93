import { listDocuments } from '../../shared/http/document-endpoints.ts';
import { documentsOfMerchants } from '../../shared/merchants/documents.ts';

export default listDocuments(documentsOfMerchants, { summary: 'List the documents of a merchant' });
