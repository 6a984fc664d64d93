import { endpoint } from '../../shared/endpoints/endpoint.ts';
import {
  ApprovedStatements,
  approveStatements,
} from '../../shared/residuals/statements/approve-statements.ts';
import { ApproveStatementsInput } from '../../shared/residuals/statements/schema.ts';
import { residualStatements } from '../../shared/residuals/statements/store.ts';

export default endpoint({
  method: 'POST',
  path: '/residual-statements/approve',
  permission: 'approveResiduals',
  body: ApproveStatementsInput,
  response: ApprovedStatements,
  errors: ['statement_not_ready'],
  happenings: ['residual_statement_approved'],
  summary: 'Approve statements of residuals for payment',
  description:
    'Only approved statements can be paid. Statements that are approved already do not change. All of them are approved, or none.',
  read: ({ account, body }) => residualStatements.findMany(account, body.statementIds),
  decide: (request, found) => approveStatements(request, request.body.statementIds, found),
});
