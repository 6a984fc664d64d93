import { AccountParams } from '../../shared/accounts/schema.ts';
import { AccountExport } from '../../shared/closing/schema.ts';
import { showExport } from '../../shared/closing/show-export.ts';
import { closings } from '../../shared/closing/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { notFound } from '../../shared/errors.ts';

export default endpoint({
  method: 'GET',
  path: '/accounts/{id}/export',
  administratorOnly: true,
  servesClosed: true,
  proof: 'export',
  params: AccountParams,
  response: AccountExport,
  files: 'export',
  summary: 'Download the export of a deleted account',
  description:
    'Available until the erasure begins, 30 days after the deletion. The export contains the records of the account without secrets, and REDACTED in place of sensitive values. Save the parts one after another in one file. `npm run ops -- accounts export --verify` checks that the file is complete and unchanged. The files of documents are not included.',
  read: ({ account }) => closings.find(account),
  decide: async ({ params, accountRecord, now }, closing) => {
    if (params.id !== accountRecord.id) throw notFound('account', params.id);
    if (!closing) throw notFound('export of the account', params.id);
    return { response: await showExport(closing, now) };
  },
});
