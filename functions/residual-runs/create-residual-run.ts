import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { newRun, readForRun, startRun } from '../../shared/residuals/runs/create-run.ts';
import { ResidualRun, ResidualRunInput } from '../../shared/residuals/runs/schema.ts';

export default endpoint({
  method: 'POST',
  path: '/residual-runs',
  permission: 'writeResiduals',
  body: ResidualRunInput,
  response: ResidualRun,
  success: 'accepted',
  happenings: ['residual_run_created'],
  summary: 'Calculate the residuals of a month',
  description:
    'The run is calculated in the background from the latest files of the processors. GET /residual-runs/{id} returns the progress, then the preview. For a processor whose month is posted, the run contains only the differences. Nothing is paid before the run is approved and posted.',
  read: ({ account, body }) => readForRun(account, body),
  decide: (request, known) => startRun(request, newRun(request, request.body, known)),
});
