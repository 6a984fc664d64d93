import { finishUpload } from '../../shared/documents/document-endpoints.ts';
import { emptyBody } from '../../shared/endpoints/empty-body.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { documentsOfApplications } from '../../shared/sales/applications/documents/documents.ts';
import {
  documentTransferred,
  readOwnDocument,
  showExternalDocument,
} from '../../shared/sales/external-api/documents.ts';
import { ExternalDocument, ExternalDocumentParams } from '../../shared/sales/external-api/schema.ts';

export default endpoint({
  method: 'POST',
  path: '/extapi/applications/{externalId}/documents/{documentId}/complete',
  permission: 'useExternalApi',
  params: ExternalDocumentParams,
  ...emptyBody,
  response: ExternalDocument,
  errors: ['files_closed', 'upload_missing', 'upload_unfit'],
  emits: ['file_uploaded', 'application_completed', 'extapi_documents_transferred'],
  files: 'take',
  summary: 'Complete a document that the caller uploaded',
  description: 'Checks the uploaded file. A repeated request returns the same response.',
  decide: async (request) => {
    const { application, document, upload } = await readOwnDocument(request);
    const { after, writes, events } = await finishUpload(
      documentsOfApplications,
      request,
      application,
      document,
      upload,
    );
    const transferred = events.length > 0 ? [documentTransferred(application, after)] : [];
    return { response: showExternalDocument(after), writes, events: [...events, ...transferred] };
  },
});
