import { listing } from '../../shared/endpoints/listing.ts';
import { PayoutSummary } from '../../shared/residuals/payouts/schema.ts';
import { payouts } from '../../shared/residuals/payouts/store.ts';

export default listing(
  {
    path: '/residual-payouts',
    permission: 'readResiduals',
    item: PayoutSummary,
    fields: {
      id: ['sort'],
      createdAt: ['sort'],
      updatedAt: ['sort'],
      state: ['filter'],
      format: ['filter'],
      effectiveDate: ['sort'],
    },
    summary: 'List payouts',
  },
  ({ account }) => payouts.listOf(account),
);
