import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { ApplicationParams } from '../../shared/sales/applications/schema.ts';
import { duplicatesOf } from '../../shared/sales/applications/seal-values.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { Collisions } from '../../shared/sales/applications/underwriting-schema.ts';

export default endpoint({
  method: 'GET',
  path: '/applications/{applicationId}/collisions',
  // A reported duplicate confirms a guessed value, so the caller must have permission to read both kinds of records.
  permission: ['writeUnderwriting', 'readApplications', 'readMerchants'],
  params: ApplicationParams,
  response: Collisions,
  summary: 'List the records of the account that have the same sensitive values as an application',
  description:
    'Compares social security numbers, tax ids and bank accounts, regardless of their notation. The response does not contain the values themselves. The application’s own merchant is not listed.',
  read: async ({ account, params }) => duplicatesOf(await applications.get(account, params.applicationId)),
  decide: (_, collisions) => ({ response: { data: collisions, totalCount: collisions.length } }),
});
