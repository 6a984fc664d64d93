import { readRecord } from '../../shared/endpoints/record-endpoints.ts';
import { Agreement } from '../../shared/residuals/agreements/schema.ts';
import { residualAgreements } from '../../shared/residuals/agreements/store.ts';

export default readRecord(residualAgreements, {
  path: '/residual-agreements/{id}',
  permission: 'readResiduals',
  response: Agreement,
  summary: 'Read an agreement with all its versions',
});
