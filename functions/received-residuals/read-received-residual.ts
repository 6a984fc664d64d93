import { endpoint } from '../../shared/endpoints/endpoint.ts';
import {
  getStatement,
  receiverOf,
  showStatement,
} from '../../shared/residuals/statements/read-statements.ts';
import { ResidualStatement, StatementParams } from '../../shared/residuals/statements/schema.ts';

export default endpoint({
  method: 'GET',
  path: '/received-residual-statements/{id}',
  access: 'home',
  administratorOnly: true,
  params: StatementParams,
  response: ResidualStatement,
  summary: 'Read a statement of residuals that the account received from its parent',
  decide: async (request) => ({
    response: showStatement(await getStatement(receiverOf(request.accountRecord), request.params.id)),
  }),
});
