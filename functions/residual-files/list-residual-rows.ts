import { listing } from '../../shared/endpoints/listing.ts';
import { ListedResidualRow } from '../../shared/residuals/files/schema.ts';
import { residualRowsOf } from '../../shared/residuals/files/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default listing(
  {
    path: '/residual-files/{id}/rows',
    permission: 'readResiduals',
    params: RecordParams,
    item: ListedResidualRow,
    fields: { mid: ['filter'], dba: ['search'] },
    summary: 'List the rows of a file of residuals',
    description: 'In the order of the file. To find all rows of a MID in a long file, read with `cursor`.',
  },
  ({ account, params }) => residualRowsOf(account, params.id),
);
