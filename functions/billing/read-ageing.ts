import {
  AgeingQuery,
  AgeingReport,
  ageingReport,
  openInvoicesAt,
  readOpenInvoices,
} from '../../shared/billing/ageing.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { weightOfWindow } from '../../shared/endpoints/listing.ts';
import { dayIn, daysAfter, startOfDay } from '../../shared/instant.ts';

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
    'The amounts due of the newest 5,000 open invoices, by customer and currency: the present ones, or those at the end of a past day. A request counts as ten requests of the caller’s limit.',
  read: ({ account }) => readOpenInvoices(account),
  decide: async ({ account, accountRecord: { timezone }, query: { asOf, ...wanted }, now }, found) => {
    const today = dayIn(timezone, now);
    const day = asOf ?? today;
    const open =
      day < today ? await openInvoicesAt(account, startOfDay(daysAfter(day, 1), timezone), found) : found;
    return { response: ageingReport(open, day, wanted) };
  },
});
