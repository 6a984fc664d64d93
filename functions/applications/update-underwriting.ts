import { applicationResponse } from '../../shared/applications/application-response.ts';
import { assignUnderwriting } from '../../shared/applications/assign-underwriting.ts';
import { Application, ApplicationParams } from '../../shared/applications/schema.ts';
import { applications } from '../../shared/applications/store.ts';
import { underwritingChanged } from '../../shared/applications/underwriting-events.ts';
import { UnderwritingInput } from '../../shared/applications/underwriting-schema.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { readAndCheck } from '../../shared/table/side-by-side.ts';
import { assigneeNamed } from '../../shared/users/store.ts';

export default endpoint(
  {
    method: 'PATCH',
    path: '/applications/{applicationId}/underwriting',
    permission: 'writeUnderwriting',
    params: ApplicationParams,
    body: UnderwritingInput,
    response: Application,
    errors: ['user_unknown'],
    emits: ['underwriting_application_assigned', 'underwriting_application_priority_changed'],
    namesUsers: true,
    summary: 'Say who judges an application, and how soon',
    description: 'In whatever state it is. Null takes an underwriter or a priority away.',
  },
  {
    read: ({ account, params, body }) =>
      readAndCheck(
        applications.get(account, params.applicationId),
        body.assignedTo ? assigneeNamed(account, body.assignedTo) : undefined,
        ({ admin }) => body.assignedTo === admin?.assignedTo,
      ),
    decide: (request, [application, underwriter]) => {
      const { body } = request;
      const change = underwriter ? { ...body, assignedTo: String(underwriter.id) } : body;
      const after = assignUnderwriting(application, change, request);
      return {
        response: applicationResponse(after, { ...request, query: {} }),
        writes: applications.replace(application, after),
        events: underwritingChanged(application, after),
      };
    },
  },
);
