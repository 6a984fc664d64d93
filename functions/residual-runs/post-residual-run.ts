import { emptyBody } from '../../shared/endpoints/empty-body.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { readForPosting, startPosting } from '../../shared/residuals/runs/change-run.ts';
import { ResidualRun } from '../../shared/residuals/runs/schema.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/residual-runs/{id}/post',
  permission: 'writeResiduals',
  params: RecordParams,
  ...emptyBody,
  response: ResidualRun,
  success: 'accepted',
  writes: true,
  errors: ['residual_run_state', 'residual_run_open', 'residual_run_outdated'],
  summary: 'Post an approved run of residuals',
  description:
    'Creates the statements in the background: one for each beneficiary with a changed amount. The run is posted when all statements exist. For a run that has stopped while it was posted, continues the posting.',
  read: ({ account, params }) => readForPosting(account, params.id),
  decide: (request, known) => startPosting(request, known),
});
