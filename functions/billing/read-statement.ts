import {
  CustomerStatement,
  readStatement,
  StatementQuery,
  statementOf,
} from '../../shared/billing/statement.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { weightOfWindow } from '../../shared/endpoints/listing.ts';

export default endpoint({
  method: 'GET',
  path: '/billing/statement',
  permission: 'readInvoices',
  query: StatementQuery,
  response: CustomerStatement,
  errors: ['statement_too_long'],
  readsMany: true,
  weigh: () => weightOfWindow,
  summary: 'Read the statement of a customer',
  description:
    'The balances before and after the period, and all entries in the period. Each entry has the time of its posting. At most 5,000 entries since the start of the first month. A request counts as ten requests of the caller’s limit.',
  read: ({ account, query: { customerType = 'merchant', customerId, ...period } }) =>
    readStatement(account, { customerType, customerId }, period),
  decide: ({ accountRecord, query: { customerType = 'merchant', customerId, ...period } }, found) => ({
    response: statementOf({ customerType, customerId }, period, accountRecord.timezone, found),
  }),
});
