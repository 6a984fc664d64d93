import { emptyBody } from '../../shared/endpoints/empty-body.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { reached } from '../../shared/endpoints/reached.ts';
import { requestWrites } from '../../shared/partner/partner-request.ts';
import { connections } from '../../shared/partner/store.ts';
import { submitToPartner } from '../../shared/partner/submit-to-partner.ts';
import { applicationResponse } from '../../shared/sales/applications/application-response.ts';
import { applicationUpdated } from '../../shared/sales/applications/events.ts';
import { Application, ApplicationParams } from '../../shared/sales/applications/record/schema.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { readAndCheck } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'POST',
  path: '/applications/{applicationId}/partner-submission',
  permission: 'writeUnderwriting',
  reach: 'application',
  params: ApplicationParams,
  ...emptyBody,
  response: Application,
  success: 'accepted',
  errors: ['application_not_approved', 'partner_submitted', 'partner_not_connected', 'partner_inactive'],
  emits: ['application_updated'],
  summary: 'Submit an approved application to the partner',
  description:
    'Queues the transfer. `admin.partner` shows its state. After a failure, the application can be submitted again.',
  read: ({ account, params, ...input }) =>
    readAndCheck(
      reached(input, 'application', applications.get(account, params.applicationId)),
      connections.getActive(account),
      ({ status }) => status !== 'approved',
    ),
  decide: (request, [application]) => {
    const after = submitToPartner(application, request);
    const { submission = 1 } = after.admin.partner ?? {};
    const content = { request: 'application', applicationId: after.id, submission } as const;
    return {
      response: applicationResponse(after, { ...request, query: {} }),
      writes: [
        ...applications.replace(application, after),
        ...requestWrites(request.account, `application-${after.id}-${submission}`, content, request.now),
      ],
      events: applicationUpdated(application, after),
    };
  },
});
