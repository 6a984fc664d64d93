import { StatementUpload } from '../../shared/billing/statement-uploads/schema.ts';
import { readUpload, showUpload } from '../../shared/billing/statement-uploads/start-import.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'GET',
  path: '/billing/bank-statements/{id}',
  permission: 'readInvoices',
  params: RecordParams,
  response: StatementUpload,
  summary: 'Read the progress of an uploaded bank statement',
  description: 'Uploads and their results are kept for 30 days.',
  read: ({ account, params, now }) => readUpload(account, params.id, now),
  decide: (_, { stored, job }) => ({ response: showUpload(stored, job) }),
});
