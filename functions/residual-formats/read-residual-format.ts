import { readRecord } from '../../shared/endpoints/record-endpoints.ts';
import { ResidualFormat } from '../../shared/residuals/formats/schema.ts';
import { residualFormats } from '../../shared/residuals/formats/store.ts';

export default readRecord(residualFormats, {
  path: '/residual-formats/{id}',
  permission: 'readResiduals',
  response: ResidualFormat,
  summary: 'Read a format of residual files',
});
