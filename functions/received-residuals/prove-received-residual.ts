import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { proveStatement, receiverOf } from '../../shared/residuals/statements/read-statements.ts';
import { StatementParams, StatementProof } from '../../shared/residuals/statements/schema.ts';

export default endpoint({
  method: 'GET',
  path: '/received-residual-statements/{id}/proof',
  access: 'home',
  administratorOnly: true,
  params: StatementParams,
  response: StatementProof,
  errors: ['event_not_sealed', 'event_altered'],
  summary:
    'Prove that a statement of residuals that the account received from its parent is in the sealed event log',
  description:
    'Returns the statement as it was posted, and the proof of the event that contains its hash. To verify the proof, only the public key of the seals is needed.',
  decide: async (request) => ({
    response: await proveStatement(receiverOf(request.accountRecord), request.params.id, request.now),
  }),
});
