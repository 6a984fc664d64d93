import { endpoint } from '../../shared/endpoints/endpoint.ts';
import {
  adjustmentHappened,
  checkAdjustment,
  newAdjustment,
  readAdjusted,
} from '../../shared/residuals/adjustments/new-adjustment.ts';
import { Adjustment, AdjustmentInput } from '../../shared/residuals/adjustments/schema.ts';
import { residualAdjustments } from '../../shared/residuals/adjustments/store.ts';

export default endpoint({
  method: 'POST',
  path: '/residual-adjustments',
  permission: 'writeResiduals',
  body: AdjustmentInput,
  response: Adjustment,
  success: 'created',
  errors: ['beneficiary_unknown'],
  happenings: ['residual_adjustment_created'],
  summary: 'Create an adjustment of residuals',
  description:
    'The next run of the month adds it to the statement of the beneficiary. An advance is recovered from the statements of later months, at most by its part of the shares of each month. A transfer applies to the shares of the agreement whose beneficiary is `beneficiary`. A beneficiary in an agreement can have adjustments after leaving the account.',
  read: ({ account, body }) => readAdjusted(account, body),
  decide: (request, names) => {
    checkAdjustment(request.body);
    const adjustment = newAdjustment(request, request.body, names);
    return {
      response: adjustment,
      writes: residualAdjustments.insert(adjustment),
      events: adjustmentHappened('residual_adjustment_created', adjustment),
    };
  },
});
