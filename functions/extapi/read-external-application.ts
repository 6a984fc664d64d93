import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { readOwnApplication } from '../../shared/sales/external-api/read-application.ts';
import { ExternalApplication, ExternalApplicationParams } from '../../shared/sales/external-api/schema.ts';
import { showExternalApplication } from '../../shared/sales/external-api/show-application.ts';

export default endpoint({
  method: 'GET',
  path: '/extapi/applications/{externalId}',
  permission: 'useExternalApi',
  params: ExternalApplicationParams,
  response: ExternalApplication,
  summary: 'Read the status and the missing items of an application that the caller sent',
  decide: async (request) => ({
    response: showExternalApplication(await readOwnApplication(request), request.accountRecord),
  }),
});
