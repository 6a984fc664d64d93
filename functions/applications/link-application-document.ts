import { linkDocument } from '../../shared/documents/document-endpoints.ts';
import { documentsOfApplications } from '../../shared/sales/applications/documents.ts';

export default linkDocument(documentsOfApplications, {
  summary: 'Get an address of the file of an application’s document',
  description: 'It is good for five minutes, for everybody who has it, and always downloads the file.',
});
