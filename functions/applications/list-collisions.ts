import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { reached } from '../../shared/endpoints/reached.ts';
import { duplicatesOf } from '../../shared/sales/applications/record/encrypt-application.ts';
import { ApplicationParams } from '../../shared/sales/applications/record/schema.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { Collisions } from '../../shared/sales/applications/underwriting/underwriting-schema.ts';

export default endpoint({
  method: 'GET',
  path: '/applications/{applicationId}/collisions',
  // The response reveals which other applications and merchants have the same sensitive values. Therefore the
  // caller needs permission to read all of both.
  permission: ['writeUnderwriting', 'readApplications', 'readMerchants'],
  params: ApplicationParams,
  response: Collisions,
  summary: 'List the records of the account that have the same sensitive values as an application',
  description:
    'Compares social security numbers, tax ids and bank accounts, regardless of their notation. The caller must be permitted to read all applications and merchants. The response does not contain the values themselves. The merchant that was created from the application is not listed.',
  read: async ({ account, params, ...input }) =>
    duplicatesOf(await reached(input, 'application', applications.get(account, params.applicationId))),
  decide: (_, collisions) => ({ response: { data: collisions, totalCount: collisions.length } }),
});
