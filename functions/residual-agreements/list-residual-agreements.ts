import { listing } from '../../shared/endpoints/listing.ts';
import { ListedAgreement } from '../../shared/residuals/agreements/schema.ts';
import { residualAgreements } from '../../shared/residuals/agreements/store.ts';

export default listing(
  {
    path: '/residual-agreements',
    permission: 'readResiduals',
    item: ListedAgreement,
    fields: { createdAt: ['sort'], updatedAt: ['sort'], validFrom: ['filter', 'sort'] },
    summary: 'List agreements about residuals',
    description: 'Each with the terms of its latest version.',
  },
  ({ account }) => residualAgreements.listOf(account),
);
