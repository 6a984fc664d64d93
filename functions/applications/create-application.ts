import { createApplication } from '../../shared/applications/change-application.ts';
import { applicationCreated } from '../../shared/applications/events.ts';
import { Application, ApplicationInput } from '../../shared/applications/schema.ts';
import { showTo } from '../../shared/applications/show-application.ts';
import { applications } from '../../shared/applications/store.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/applications',
    permission: 'writeApplications',
    sensitive: true,
    body: ApplicationInput,
    bodyOptional: true,
    response: Application,
    success: 'created',
    oneTime: ['system.appKey'],
    emits: ['application_created', 'application_completed'],
    summary: 'Create an application',
    description: 'Responds with the key of the merchant’s link; sensitive values are REDACTED.',
  },
  {
    once: (request) => request.dataKeys(),
    foretell: (request) => request.dataKeys(),
    decide: async (request) => {
      const made = await createApplication(request);
      return {
        response: showTo(request.principal, made.application, { appKey: made.appKey }),
        writes: applications.insert(made),
        events: applicationCreated(made.application),
      };
    },
  },
);
