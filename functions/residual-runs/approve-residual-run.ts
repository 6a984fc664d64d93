import { emptyBody } from '../../shared/endpoints/empty-body.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { approveRun } from '../../shared/residuals/runs/change-run.ts';
import { ResidualRun } from '../../shared/residuals/runs/schema.ts';
import { residualRuns } from '../../shared/residuals/runs/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/residual-runs/{id}/approve',
  permission: 'approveResiduals',
  params: RecordParams,
  ...emptyBody,
  response: ResidualRun,
  errors: ['residual_run_state', 'run_needs_second_person'],
  happenings: ['residual_run_approved'],
  summary: 'Approve a run of residuals',
  description:
    'If the account has `residualsNeedTwoPeople`, only a person who did not start the run can approve it. An API key counts as the user who created it.',
  read: ({ account, params }) => residualRuns.get(account, params.id),
  decide: (request, run) => approveRun(request, run),
});
