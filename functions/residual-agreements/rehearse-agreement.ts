import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { weightOfWindow } from '../../shared/endpoints/listing.ts';
import { Rehearsal, RehearsalInput } from '../../shared/residuals/agreements/schema.ts';
import { rehearse } from '../../shared/residuals/runs/rehearse.ts';

export default endpoint({
  method: 'POST',
  path: '/residual-agreements/rehearse',
  permission: 'readResiduals',
  body: RehearsalInput,
  response: Rehearsal,
  errors: [
    'beneficiary_unknown',
    'merchant_unknown',
    'agreement_conflict',
    'agreement_cycle',
    'quota_exceeded',
    'rehearsal_too_long',
  ],
  weigh: () => weightOfWindow,
  summary: 'Rehearse an agreement over past months',
  description:
    'Calculates what each beneficiary would have received from the latest files of the months, and what they receive with the present agreements. Nothing is stored. At most 100,000 rows. A request counts as ten requests of the caller’s limit.',
  decide: async (request) => ({ response: await rehearse(request, request.body) }),
});
