import { documentsOfApplications } from '../../shared/applications/documents.ts';
import { linkDocument } from '../../shared/http/document-endpoints.ts';

export default linkDocument(documentsOfApplications, {
  summary: 'Get an address of the file of an application’s document',
  description: 'It is good for five minutes, for everybody who has it, and always downloads the file.',
});
