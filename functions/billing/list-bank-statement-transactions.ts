import { transactionsOf } from '../../shared/billing/statement-uploads/list-transactions.ts';
import { UploadedTransaction } from '../../shared/billing/statement-uploads/schema.ts';
import { listing } from '../../shared/endpoints/listing.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default listing(
  {
    path: '/billing/bank-statements/{id}/transactions',
    permission: 'readInvoices',
    params: RecordParams,
    item: UploadedTransaction,
    fields: { result: ['filter'], reason: ['filter'] },
    summary: 'List the transactions of an uploaded bank statement with their results',
    description:
      'In the order of the file, as far as they were imported. To find all transactions with a result in a long statement, read with `cursor`.',
  },
  ({ account, params, now }) => transactionsOf(account, params.id, now),
);
