import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { ResidualFile } from '../../shared/residuals/files/schema.ts';
import { readProgress } from '../../shared/residuals/files/start-reading.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'GET',
  path: '/residual-files/{id}',
  permission: 'readResiduals',
  params: RecordParams,
  response: ResidualFile,
  summary: 'Read a file of residuals with its problems, or the progress of its reading',
  read: ({ account, params, now }) => readProgress(account, params.id, now),
  decide: (_, response) => ({ response }),
});
