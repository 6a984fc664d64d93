import { bankAccounts } from '../../shared/billing/bank-accounts/store.ts';
import { NewStatementUpload, StatementUploadInput } from '../../shared/billing/statement-uploads/schema.ts';
import { beginStatementUpload } from '../../shared/billing/statement-uploads/start-import.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'POST',
  path: '/billing/bank-statements',
  permission: 'writeInvoices',
  body: StatementUploadInput,
  response: NewStatementUpload,
  success: 'created',
  writes: true,
  files: 'upload',
  summary: 'Request an upload of a bank statement',
  description:
    'For statements of up to 10 MB and 100,000 transactions. Returns a signed request that uploads exactly the described file within 15 minutes. Then complete the upload with POST /billing/bank-statements/{id}/complete. The formats and the other fields are those of POST /invoices/bank-statements, which imports at most 200 transactions in the request.',
  read: ({ account, body }) => bankAccounts.findNamed(account, body.bankAccount),
  decide: async (request, known) => ({ ...(await beginStatementUpload(request, known)), events: [] }),
});
