import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { getStatement, readerOf, showStatement } from '../../shared/residuals/statements/read-statements.ts';
import { ResidualStatement, StatementParams } from '../../shared/residuals/statements/schema.ts';

export default endpoint({
  method: 'GET',
  path: '/residual-statements/{id}',
  anyPermission: ['readResiduals', 'readOwnResiduals'],
  params: StatementParams,
  response: ResidualStatement,
  summary: 'Read a statement of residuals',
  decide: async (request) => ({
    response: showStatement(await getStatement(readerOf(request), request.params.id)),
  }),
});
