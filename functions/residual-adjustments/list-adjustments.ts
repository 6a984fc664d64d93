import { listing } from '../../shared/endpoints/listing.ts';
import { Adjustment } from '../../shared/residuals/adjustments/schema.ts';
import { residualAdjustments } from '../../shared/residuals/adjustments/store.ts';

export default listing(
  {
    path: '/residual-adjustments',
    permission: 'readResiduals',
    item: Adjustment,
    fields: {
      kind: ['filter'],
      month: ['filter', 'sort'],
      state: ['filter'],
      mid: ['filter'],
      reason: ['search'],
      createdAt: ['sort'],
    },
    summary: 'List adjustments of residuals',
  },
  ({ account }) => residualAdjustments.listOf(account),
);
