import { readRecord } from '../../shared/endpoints/record-endpoints.ts';
import { ResidualRun } from '../../shared/residuals/runs/schema.ts';
import { residualRuns } from '../../shared/residuals/runs/store.ts';

export default readRecord(residualRuns, {
  path: '/residual-runs/{id}',
  permission: 'readResiduals',
  response: ResidualRun,
  summary: 'Read a run of residuals',
});
