import { emptyBody } from '../../shared/endpoints/empty-body.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { readForPosting, startReversal } from '../../shared/residuals/runs/change-run.ts';
import { ResidualRun } from '../../shared/residuals/runs/schema.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/residual-runs/{id}/reverse',
  permission: 'writeResiduals',
  params: RecordParams,
  ...emptyBody,
  response: ResidualRun,
  success: 'accepted',
  writes: true,
  destructive: true,
  errors: ['residual_run_state', 'residual_run_open', 'residual_run_outdated'],
  summary: 'Reverse a posted run of residuals',
  description:
    'Creates statements in the background that take back all lines of the run. The statements of the run keep their lines and totals: those that are not paid are withdrawn, and paid amounts become a negative balance. The adjustments of the run are open again. A run that a later run has corrected cannot be reversed before the later run. A run that has stopped can be reversed, too. Only its posted lines are taken back.',
  read: ({ account, params }) => readForPosting(account, params.id),
  decide: (request, known) => startReversal(request, known),
});
