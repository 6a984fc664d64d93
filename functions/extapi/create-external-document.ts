import { beginUpload } from '../../shared/documents/document-endpoints.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { documentsOfApplications } from '../../shared/sales/applications/documents/documents.ts';
import { showExternalDocument } from '../../shared/sales/external-api/documents.ts';
import { readOwnApplication } from '../../shared/sales/external-api/read-application.ts';
import {
  ExternalApplicationParams,
  ExternalDocumentInput,
  NewExternalDocument,
} from '../../shared/sales/external-api/schema.ts';

export default endpoint({
  method: 'POST',
  path: '/extapi/applications/{externalId}/documents',
  permission: 'useExternalApi',
  params: ExternalApplicationParams,
  body: ExternalDocumentInput,
  response: NewExternalDocument,
  success: 'created',
  errors: ['files_closed', 'too_many_files'],
  emits: ['file_upload_url_requested'],
  files: 'upload',
  summary: 'Create a document of an application that the caller sent, and get an upload request',
  description:
    'Send the request in `upload` unchanged, with the file as the body, within 15 minutes. Then complete the document.',
  decide: async (request) => {
    const application = await readOwnApplication(request);
    const { document, upload, ...change } = await beginUpload(
      documentsOfApplications,
      request,
      application,
      application.id,
    );
    return { response: { ...showExternalDocument(document), upload }, ...change };
  },
});
