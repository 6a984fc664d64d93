import { listing } from '../../shared/endpoints/listing.ts';
import { ResidualFormat } from '../../shared/residuals/formats/schema.ts';
import { residualFormats } from '../../shared/residuals/formats/store.ts';

export default listing(
  {
    path: '/residual-formats',
    permission: 'readResiduals',
    item: ResidualFormat,
    fields: { processor: ['filter', 'sort'], name: ['search', 'sort'], createdAt: ['sort'] },
    summary: 'List formats of residual files',
  },
  ({ account }) => residualFormats.listOf(account),
);
