import { emptyBody } from '../../shared/endpoints/empty-body.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { reached } from '../../shared/endpoints/reached.ts';
import { ApiError } from '../../shared/errors.ts';
import { mintId } from '../../shared/id/mint.ts';
import { requestWrites } from '../../shared/partner/partner-request.ts';
import { connections } from '../../shared/partner/store.ts';
import { ApplicationParams } from '../../shared/sales/applications/record/schema.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'POST',
  path: '/applications/{applicationId}/partner-sync',
  permission: 'writeUnderwriting',
  reach: 'application',
  params: ApplicationParams,
  ...emptyBody,
  response: Message,
  success: 'accepted',
  errors: ['partner_not_sent', 'partner_not_connected', 'partner_inactive'],
  writes: true,
  summary: 'Read the status of an application from the partner now',
  description:
    'The service also reads the status whenever no event about the application has arrived for 24 hours. A new status is applied and emits `partner_status_synced`.',
  read: ({ account, params, ...input }) =>
    inParallel([
      reached(input, 'application', applications.get(account, params.applicationId)),
      connections.getActive(account),
    ]),
  decide: ({ account, now }, [application]) => {
    const { id, admin } = application;
    if (admin.partner?.partnerId === undefined) throw new ApiError('partner_not_sent');
    const content = { request: 'sync', applicationId: id } as const;
    return {
      response: { message: 'The status is being read. See `admin.partner` of the application.' },
      writes: [
        applications.unchanged(application),
        ...requestWrites(account, `sync-${id}-${mintId(now)}`, content, now),
      ],
      events: [],
    };
  },
});
