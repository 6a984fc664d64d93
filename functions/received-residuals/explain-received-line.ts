import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { explainLine } from '../../shared/residuals/statements/explain-line.ts';
import { LineExplanation } from '../../shared/residuals/statements/explain-schema.ts';
import { getStatement, receiverOf } from '../../shared/residuals/statements/read-statements.ts';
import { LineParams } from '../../shared/residuals/statements/schema.ts';

export default endpoint({
  method: 'GET',
  path: '/received-residual-statements/{id}/lines/{line}/explain',
  access: 'home',
  administratorOnly: true,
  params: LineParams,
  response: LineExplanation,
  summary: 'Explain a line of a statement of residuals that the account received from its parent',
  description:
    'Returns the file and its row, the version of the agreement, each step of the calculation, and the rounding. The row contains only the values that enter the amount.',
  decide: async (request) => {
    const statement = await getStatement(receiverOf(request.accountRecord), request.params.id);
    return { response: await explainLine(statement, request.params.line) };
  },
});
