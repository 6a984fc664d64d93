import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { reached } from '../../shared/endpoints/reached.ts';
import { requireMayAssign } from '../../shared/people/users/rules.ts';
import { requireAssignee } from '../../shared/people/users/store.ts';
import { applicationResponse } from '../../shared/sales/applications/application-response.ts';
import { Application, ApplicationParams } from '../../shared/sales/applications/record/schema.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { assignUnderwriting } from '../../shared/sales/applications/underwriting/assign-underwriting.ts';
import { underwritingChanged } from '../../shared/sales/applications/underwriting/underwriting-events.ts';
import { UnderwritingInput } from '../../shared/sales/applications/underwriting/underwriting-schema.ts';
import { readAndCheck } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'PATCH',
  path: '/applications/{applicationId}/underwriting',
  permission: 'writeUnderwriting',
  reach: 'application',
  params: ApplicationParams,
  body: UnderwritingInput,
  response: Application,
  errors: ['user_unknown'],
  emits: ['underwriting_application_assigned', 'underwriting_application_priority_changed'],
  rights: ['emails:find'],
  summary: 'Set the underwriter and the priority of an application',
  description: 'The application may have any status. Null removes the underwriter or the priority.',
  read: ({ account, params, body, ...input }) =>
    readAndCheck(
      reached(input, 'application', applications.get(account, params.applicationId)),
      body.assignedTo ? requireAssignee(account, body.assignedTo) : undefined,
      ({ admin }) => body.assignedTo === admin?.assignedTo,
    ),
  decide: (request, [application, underwriter]) => {
    const { body, principal } = request;
    requireMayAssign(principal, body.assignedTo);
    const change = underwriter ? { ...body, assignedTo: String(underwriter.id) } : body;
    const after = assignUnderwriting(application, change, request);
    return {
      response: applicationResponse(after, { ...request, query: {} }),
      writes: applications.replace(application, after),
      events: underwritingChanged(application, after),
    };
  },
});
