import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { readPrinted } from '../../shared/residuals/statements/print-statement.ts';
import { readerOf } from '../../shared/residuals/statements/read-statements.ts';
import { StatementParams } from '../../shared/residuals/statements/schema.ts';
import { string } from '../../shared/schema.ts';

export default endpoint({
  method: 'GET',
  path: '/residual-statements/{id}/print',
  anyPermission: ['readResiduals', 'readOwnResiduals'],
  params: StatementParams,
  response: string({ maxLength: 4_000_000 }),
  mediaType: 'text/html; charset=utf-8',
  summary: 'Read a statement of residuals as a page for printing',
  description:
    'Returns an HTML page in English that needs no other resources. At most 2,000 lines are printed.',
  decide: async (request) => ({ httpResponse: await readPrinted(readerOf(request), request.params.id) }),
});
