import {
  ReceivedStatement,
  ReceivedStatementQuery,
  readReceivedStatement,
} from '../../shared/billing/received-invoices.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { weightOfWindow } from '../../shared/endpoints/listing.ts';

export default endpoint({
  method: 'GET',
  path: '/received-invoices',
  access: 'home',
  administratorOnly: true,
  query: ReceivedStatementQuery,
  response: ReceivedStatement,
  errors: ['statement_too_long'],
  weigh: () => weightOfWindow,
  summary: 'List the invoices that the account received from its parent, as a statement',
  description:
    'The balances before and after the period, and all invoices, payments, refunds and credits in the period. Empty for an account without a parent. At most 5,000 entries since the start of the first month. A request counts as ten requests of the caller’s limit.',
  decide: async ({ accountRecord, query }) => ({
    response: await readReceivedStatement(accountRecord, query),
  }),
});
