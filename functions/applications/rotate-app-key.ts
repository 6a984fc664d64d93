import { emptyBody } from '../../shared/endpoints/empty-body.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { reached } from '../../shared/endpoints/reached.ts';
import { withNewAppKey } from '../../shared/sales/applications/app-key/new-app-key.ts';
import { applicationUpdated } from '../../shared/sales/applications/events.ts';
import { Application, ApplicationParams } from '../../shared/sales/applications/record/schema.ts';
import { showTo } from '../../shared/sales/applications/show-application.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint({
  method: 'POST',
  path: '/applications/{applicationId}/app-key',
  permission: 'writeApplications',
  reach: 'application',
  proof: 'keys',
  sensitive: true,
  impersonated: 'never',
  params: ApplicationParams,
  ...emptyBody,
  response: Application,
  oneTime: ['system.appKey'],
  emits: ['application_updated'],
  destructive: true,
  summary: 'Replace the appKey of an application',
  description: 'The previous key becomes invalid immediately.',
  read: (input) => reached(input, 'application', applications.get(input.account, input.params.applicationId)),
  decide: async (request, application) => {
    const made = await withNewAppKey(application, await request.dataKeys());
    const after = revise(application, { appKey: made.application.appKey }, request);
    return {
      response: showTo(request.principal, after, { appKey: made.appKey }),
      writes: applications.replaceWithAppKey(application, { ...made, application: after }),
      events: applicationUpdated(application, after),
    };
  },
});
