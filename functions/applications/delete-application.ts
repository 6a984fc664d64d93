import { applicationDeleted } from '../../shared/applications/events.ts';
import { Application, ApplicationParams } from '../../shared/applications/schema.ts';
import { showTo } from '../../shared/applications/show-application.ts';
import { applications } from '../../shared/applications/store.ts';
import { ApiError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export default endpoint(
  {
    method: 'DELETE',
    path: '/applications/{applicationId}',
    permission: 'writeApplications',
    params: ApplicationParams,
    response: Application,
    errors: ['application_not_deletable'],
    emits: ['application_deleted'],
    summary: 'Delete a pending or rejected application',
    description: 'Its id is never used again. Documents and notes go a little later.',
  },
  {
    read: ({ account, params }) => applications.get(account, params.applicationId),
    decide: (request, application) => {
      if (application.status === 'submitted' || application.status === 'approved')
        throw new ApiError('application_not_deletable');
      return {
        response: showTo(request.principal, application),
        writes: applications.delete(application, request.now),
        events: applicationDeleted(application),
      };
    },
  },
);
