import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { checkColumns, formatChanged } from '../../shared/residuals/formats/change-format.ts';
import { ResidualFormat, ResidualFormatInput } from '../../shared/residuals/formats/schema.ts';
import { residualFormats } from '../../shared/residuals/formats/store.ts';
import { newRecord } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/residual-formats',
  permission: 'writeResiduals',
  body: ResidualFormatInput,
  response: ResidualFormat,
  success: 'created',
  errors: ['quota_exceeded'],
  happenings: ['residual_format_created'],
  summary: 'Create a format of residual files',
  description:
    'A format states which columns of a processor’s files contain which amounts, as sums and differences of columns. An uploaded file of a processor without a format shows a suggestion. Check the suggestion, and confirm it with this request.',
  decide: (request) => {
    checkColumns(request.body.columns);
    const format: ResidualFormat = { headerRows: 1, ...request.body, ...newRecord(request) };
    return {
      response: format,
      writes: residualFormats.insert(format),
      events: formatChanged('residual_format_created', format),
    };
  },
});
