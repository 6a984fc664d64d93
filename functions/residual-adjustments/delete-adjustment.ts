import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { adjustmentHappened } from '../../shared/residuals/adjustments/new-adjustment.ts';
import { Adjustment } from '../../shared/residuals/adjustments/schema.ts';
import { residualAdjustments } from '../../shared/residuals/adjustments/store.ts';
import { deleteAdjustment, readForDeletion } from '../../shared/residuals/runs/delete-adjustment.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'DELETE',
  path: '/residual-adjustments/{id}',
  permission: 'writeResiduals',
  params: RecordParams,
  response: Adjustment,
  errors: ['adjustment_used', 'residual_run_open'],
  happenings: ['residual_adjustment_deleted'],
  summary: 'Delete an adjustment that is on no statement',
  description: 'After the deletion of a transfer, later runs change posted shares as differences.',
  read: ({ account, params }) => readForDeletion(account, params.id),
  decide: (request, known) => ({
    response: residualAdjustments.show(known.adjustment),
    writes: deleteAdjustment(known, request.now),
    events: adjustmentHappened('residual_adjustment_deleted', known.adjustment),
  }),
});
