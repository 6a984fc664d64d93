import { listDocuments } from '../../shared/documents/document-endpoints.ts';
import { documentsOfMerchants } from '../../shared/sales/merchants/documents.ts';

export default listDocuments(documentsOfMerchants, { summary: 'List the documents of a merchant' });
