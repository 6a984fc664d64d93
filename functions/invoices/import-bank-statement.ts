import { bankAccounts } from '../../shared/billing/bank-accounts/store.ts';
import {
  importStatement,
  readSent,
  suggestionOf,
} from '../../shared/billing/bank-statements/import-statement.ts';
import { BankStatement, BankStatementResult } from '../../shared/billing/bank-statements/schema.ts';
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
    'Records a payment for each incoming transaction that names an invoice: with exactly its amount due, with a part of it if the number is complete, or with exactly the sum of several named invoices. Other transactions and rows that cannot be read are reported with a reason, and do not affect the others. A repeated statement changes nothing. The statement itself is not stored.',
  read: ({ account, body }) => bankAccounts.findNamed(account, body.bankAccount),
  decide: async (request, stored) => {
    const { body } = request;
    const statement = readSent(body, stored);
    const result = await importStatement(request, statement);
    const suggestion = stored ? {} : { suggestion: suggestionOf(statement, body.bankAccount) };
    return { response: { ...result, ...suggestion }, writes: [], events: [] };
  },
});
