import { AgeingQuery, AgeingReport, ageingReport, readOpenInvoices } from '../../shared/billing/ageing.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { weightOfWindow } from '../../shared/endpoints/listing.ts';

export default endpoint({
  method: 'GET',
  path: '/billing/ageing',
  permission: 'readInvoices',
  query: AgeingQuery,
  response: AgeingReport,
  readsMany: true,
  weigh: () => weightOfWindow,
  summary: 'Read what customers owe, by days overdue',
  description:
    'The present amounts due of the newest 5,000 open invoices, by customer and currency. A request counts as ten requests of the caller’s limit.',
  read: ({ account }) => readOpenInvoices(account),
  decide: ({ query: { asOf, ...wanted }, now }, found) => ({
    response: ageingReport(found, asOf ?? now.toISOString().slice(0, 10), wanted),
  }),
});
