import {
  CustomerStatement,
  noEntries,
  readStatement,
  StatementQuery,
  statementOf,
} from '../../shared/billing/statement.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { weightOfWindow } from '../../shared/endpoints/listing.ts';
import { parentOfInvoice, shownTo } from '../../shared/endpoints/parent-records.ts';
import { deferred } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'GET',
  path: '/billing/statement',
  permission: 'readInvoices',
  reach: 'merchant',
  query: StatementQuery,
  response: CustomerStatement,
  errors: ['statement_too_long'],
  readsMany: true,
  weigh: () => weightOfWindow,
  summary: 'Read the statement of a customer',
  description:
    'The balances before and after the period, and all entries in the period. Each entry has the time of its posting. At most 5,000 entries since the start of the first month. A request counts as ten requests of the caller’s limit.',
  // Otherwise, an error would show that a hidden merchant has many entries.
  read: async ({ account, query: { customerType = 'merchant', customerId, ...period } }) =>
    deferred(readStatement(account, { customerType, customerId }, period)),
  decide: async (request, { reading }) => {
    const { account, accountRecord, principal, query } = request;
    const { customerType = 'merchant', customerId, ...period } = query;
    const customer = { customerType, customerId };
    const [shown] = await shownTo(principal, account, ['merchant'], [customer], parentOfInvoice);
    const found = shown ? await reading : noEntries(customer, period);
    return { response: statementOf(customer, period, accountRecord.timezone, found) };
  },
});
