import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { reached } from '../../shared/endpoints/reached.ts';
import { ApiError } from '../../shared/errors.ts';
import { applicationDeleted } from '../../shared/sales/applications/events.ts';
import { Application, ApplicationParams } from '../../shared/sales/applications/record/schema.ts';
import { showTo } from '../../shared/sales/applications/show-application.ts';
import { applications } from '../../shared/sales/applications/store.ts';

export default endpoint({
  method: 'DELETE',
  path: '/applications/{applicationId}',
  permission: 'writeApplications',
  reach: 'application',
  params: ApplicationParams,
  response: Application,
  errors: ['application_not_deletable'],
  emits: ['application_deleted'],
  summary: 'Delete a pending or rejected application',
  description: 'The id cannot be used again. Documents and notes are deleted in the background.',
  read: (input) => reached(input, 'application', applications.get(input.account, input.params.applicationId)),
  decide: (request, application) => {
    if (application.status === 'submitted' || application.status === 'approved')
      throw new ApiError('application_not_deletable');
    return {
      response: showTo(request.principal, application),
      writes: applications.delete(application, request.now),
      events: applicationDeleted(application),
    };
  },
});
