import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { ResidualFile, ResidualFileReading } from '../../shared/residuals/files/schema.ts';
import { readBeforeReading, startReading } from '../../shared/residuals/files/start-reading.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/residual-files/{id}/complete',
  permission: 'writeResiduals',
  params: RecordParams,
  body: ResidualFileReading,
  response: ResidualFile,
  success: 'accepted',
  errors: ['upload_missing', 'upload_unfit'],
  writes: true,
  files: 'check',
  summary: 'Read an uploaded file of residuals',
  description:
    'The file is read in the background with the given format, or else with the newest format of its processor. GET /residual-files/{id} returns the progress. If the processor has no format, the file shows a `suggestion` and waits. Create the format, then repeat this request. A file whose reading failed can be read again with another format. The uploaded file is deleted after it was read, or after a day. A request for a file that was read changes nothing.',
  read: (input) => readBeforeReading(input.account, input.params.id, input.body.formatId, input),
  decide: (request, before) => ({ ...startReading(request, before), events: [] }),
});
