import { listing } from '../../shared/endpoints/listing.ts';
import { ListedResidualFile } from '../../shared/residuals/files/schema.ts';
import { residualFiles } from '../../shared/residuals/files/store.ts';

export default listing(
  {
    path: '/residual-files',
    permission: 'readResiduals',
    item: ListedResidualFile,
    fields: {
      processor: ['filter', 'sort'],
      month: ['filter', 'sort'],
      state: ['filter'],
      fileName: ['search'],
      createdAt: ['sort'],
    },
    summary: 'List files of residuals',
  },
  ({ account }) => residualFiles.listOf(account),
);
