import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { NewResidualFile, ResidualFileInput } from '../../shared/residuals/files/schema.ts';
import { beginResidualUpload, readBeforeUpload } from '../../shared/residuals/files/start-reading.ts';

export default endpoint({
  method: 'POST',
  path: '/residual-files',
  permission: 'writeResiduals',
  body: ResidualFileInput,
  response: NewResidualFile,
  success: 'created',
  happenings: ['residual_file_created'],
  files: 'upload',
  summary: 'Request an upload of a file of residuals',
  description:
    'For CSV, TSV and XLSX files of up to 25 MB. Returns a signed request that uploads exactly the described file within 15 minutes. Then read the file with POST /residual-files/{id}/complete. A corrected file is a new version. If the latest file of the processor and month has the same content and format, that file is returned without an upload, and nothing changes.',
  read: ({ account, body }) => readBeforeUpload(account, body),
  decide: beginResidualUpload,
});
