import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { formatChanged } from '../../shared/residuals/formats/change-format.ts';
import { ResidualFormat } from '../../shared/residuals/formats/schema.ts';
import { residualFormats } from '../../shared/residuals/formats/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'DELETE',
  path: '/residual-formats/{id}',
  permission: 'writeResiduals',
  params: RecordParams,
  response: ResidualFormat,
  happenings: ['residual_format_deleted'],
  summary: 'Delete a format of residual files',
  description: 'Files that were read with it keep their rows.',
  read: ({ account, params }) => residualFormats.get(account, params.id),
  decide: (request, format) => ({
    response: format,
    writes: residualFormats.delete(format, request.now),
    events: formatChanged('residual_format_deleted', format),
  }),
});
