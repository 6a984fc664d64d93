import {
  AgeingQuery,
  AgeingReport,
  ageingReport,
  openInvoicesAt,
  readOpenInvoices,
} from '../../shared/billing/ageing.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { weightOfWindow } from '../../shared/endpoints/listing.ts';
import { parentOfInvoice, shownTo } from '../../shared/endpoints/parent-records.ts';
import { dayIn, daysAfter, startOfDay } from '../../shared/instant.ts';

export default endpoint({
  method: 'GET',
  path: '/billing/ageing',
  permission: 'readInvoices',
  reach: 'merchant',
  query: AgeingQuery,
  response: AgeingReport,
  readsMany: true,
  weigh: () => weightOfWindow,
  summary: 'Read what customers owe, by days overdue',
  description:
    'The amounts due of the newest 5,000 open invoices, by customer and currency, without the merchants that the caller does not reach: the present ones, or those at the end of a past day. A request counts as ten requests of the caller’s limit.',
  read: ({ account }) => readOpenInvoices(account),
  decide: async (request, found) => {
    const { account, accountRecord, principal, query, now } = request;
    const { timezone } = accountRecord;
    const { asOf, ...wanted } = query;
    const today = dayIn(timezone, now);
    const day = asOf ?? today;
    const open =
      day < today ? await openInvoicesAt(account, startOfDay(daysAfter(day, 1), timezone), found) : found;
    const shown = await shownTo(principal, account, ['merchant'], open.invoices, parentOfInvoice);
    return { response: ageingReport({ ...open, invoices: shown }, day, wanted) };
  },
});
