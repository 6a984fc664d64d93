import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { createOwnApplication } from '../../shared/sales/applications/form/change-application.ts';
import { Application, ApplicationInput } from '../../shared/sales/applications/record/schema.ts';
import { showTo } from '../../shared/sales/applications/show-application.ts';

export default endpoint({
  method: 'POST',
  path: '/applications',
  permission: 'writeApplications',
  reach: 'application',
  sensitive: true,
  body: ApplicationInput,
  bodyOptional: true,
  response: Application,
  success: 'created',
  oneTime: ['system.appKey'],
  emits: ['application_created', 'application_completed'],
  summary: 'Create an application',
  description:
    'The owner is the user who sends the request, with the user’s team. The response contains the appKey for the merchant’s link. Sensitive values are REDACTED.',
  decide: async (request) => {
    const { after, appKey, writes, events } = await createOwnApplication(request);
    return { response: showTo(request.principal, after, { appKey }), writes, events };
  },
});
