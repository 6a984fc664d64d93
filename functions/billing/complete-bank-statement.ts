import { StatementUpload } from '../../shared/billing/statement-uploads/schema.ts';
import {
  findStatement,
  readUpload,
  startImport,
} from '../../shared/billing/statement-uploads/start-import.ts';
import { emptyBody } from '../../shared/endpoints/empty-body.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/billing/bank-statements/{id}/complete',
  permission: 'writeInvoices',
  params: RecordParams,
  ...emptyBody,
  response: StatementUpload,
  success: 'accepted',
  errors: ['upload_missing', 'upload_unfit'],
  writes: true,
  files: 'check',
  summary: 'Import an uploaded bank statement',
  description:
    'The statement is imported in the background, like a statement in a request. A file that cannot be read, or whose transactions do not lead from its opening to its closing balance, is refused before a payment is recorded. GET /billing/bank-statements/{id} returns the progress. The file is deleted after the import. A repeated request changes nothing.',
  read: (input) =>
    inParallel([
      readUpload(input.account, input.params.id, input.now),
      findStatement(input.account, input.params.id, input),
    ]),
  decide: (request, [upload, file]) => ({ ...startImport(request, upload, file), events: [] }),
});
