import { readRecord } from '../../shared/endpoints/record-endpoints.ts';
import { Adjustment } from '../../shared/residuals/adjustments/schema.ts';
import { residualAdjustments } from '../../shared/residuals/adjustments/store.ts';

export default readRecord(residualAdjustments, {
  path: '/residual-adjustments/{id}',
  permission: 'readResiduals',
  response: Adjustment,
  summary: 'Read an adjustment',
});
