import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { checkColumns, formatChanged } from '../../shared/residuals/formats/change-format.ts';
import { ResidualFormat, ResidualFormatPatch } from '../../shared/residuals/formats/schema.ts';
import { residualFormats } from '../../shared/residuals/formats/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint({
  method: 'PATCH',
  path: '/residual-formats/{id}',
  permission: 'writeResiduals',
  params: RecordParams,
  body: ResidualFormatPatch,
  response: ResidualFormat,
  happenings: ['residual_format_updated'],
  summary: 'Change the given fields of a format of residual files',
  description:
    'Null clears an optional field. Each change is a new version of the format. Files that were read keep their rows and the number of their version. To read a file with the new version, upload it again.',
  read: ({ account, params }) => residualFormats.get(account, params.id),
  decide: async (request, before) => {
    await request.checkReadOnly(() => before);
    if (request.body.columns) checkColumns(request.body.columns);
    const after = revise(before, request.body, request);
    return {
      response: after,
      writes: residualFormats.replace(before, after),
      events: before === after ? [] : formatChanged('residual_format_updated', after),
    };
  },
});
