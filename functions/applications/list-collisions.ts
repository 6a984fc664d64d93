import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { ApplicationParams } from '../../shared/sales/applications/schema.ts';
import { duplicatesOf } from '../../shared/sales/applications/seal-values.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { Collisions } from '../../shared/sales/applications/underwriting-schema.ts';

export default endpoint({
  method: 'GET',
  path: '/applications/{applicationId}/collisions',
  // A collision confirms a guessed value, so the caller must be able to read both kinds of records.
  permission: ['writeUnderwriting', 'readApplications', 'readMerchants'],
  params: ApplicationParams,
  response: Collisions,
  summary: 'List what an application has in common with other records of the account',
  description:
    'Social security numbers, tax ids, and bank accounts, however they were written. Never the values, and never its own merchant.',
  read: async ({ account, params }) => duplicatesOf(await applications.get(account, params.applicationId)),
  decide: (_, collisions) => ({ response: { data: collisions, totalCount: collisions.length } }),
});
