import { applicationSubmitted } from '../../shared/applications/events.ts';
import { Application, ApplicationParams } from '../../shared/applications/schema.ts';
import { showTo } from '../../shared/applications/show-application.ts';
import { applications } from '../../shared/applications/store.ts';
import { submitApplication } from '../../shared/applications/submit-application.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { object } from '../../shared/schema.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/applications/{applicationId}/submit',
    permission: 'writeApplications',
    applicant: true,
    params: ApplicationParams,
    body: object({}),
    bodyOptional: true,
    response: Application,
    errors: ['application_not_pending', 'application_incomplete'],
    emits: ['application_submitted'],
    summary: 'Submit an application for underwriting',
    description:
      'Nobody changes it from then on. Where the account requires completeness, `details` name what is missing.',
  },
  {
    read: ({ account, params }) => applications.get(account, params.applicationId),
    decide: (request, application) => {
      const submitted = submitApplication(application, request);
      return {
        response: showTo(request.principal, submitted),
        writes: applications.replace(application, submitted),
        events: applicationSubmitted(submitted),
      };
    },
  },
);
