import { listing } from '../../shared/endpoints/listing.ts';
import { beneficiariesOfRun } from '../../shared/residuals/runs/list-beneficiaries.ts';
import { RunBeneficiary } from '../../shared/residuals/runs/schema.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default listing(
  {
    path: '/residual-runs/{id}/beneficiaries',
    permission: 'readResiduals',
    params: RecordParams,
    item: RunBeneficiary,
    shortList: { order: ['id'] },
    summary: 'List what each beneficiary receives by a run',
    description: 'Empty while the run is calculated.',
  },
  ({ account, params }) => beneficiariesOfRun(account, params.id),
);
