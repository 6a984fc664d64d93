import {
  BankStatement,
  BankStatementResult,
  importBankStatement,
  readBankStatement,
} from '../../shared/billing/bank-statement.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'POST',
  path: '/invoices/bank-statements',
  permission: 'writeInvoices',
  body: BankStatement,
  response: BankStatementResult,
  emits: ['payment_received'],
  commitsParts: true,
  summary: 'Record the payments of a bank statement',
  description:
    'Records a payment for each transaction that contains the number of one open invoice and has exactly its amount due. A repeated statement changes nothing. The statement itself is not stored.',
  decide: async (request) => {
    const rows = readBankStatement(request.body);
    return { response: await importBankStatement(request, rows), writes: [], events: [] };
  },
});
