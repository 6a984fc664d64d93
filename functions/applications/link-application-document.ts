import { linkDocument } from '../../shared/documents/document-endpoints.ts';
import { documentsOfApplications } from '../../shared/sales/applications/documents/documents.ts';

export default linkDocument(documentsOfApplications, {
  summary: 'Get a download URL for the file of an application’s document',
  description: 'The URL is valid for five minutes and needs no authentication.',
});
