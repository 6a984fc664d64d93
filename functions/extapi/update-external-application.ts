import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { readOwnApplication } from '../../shared/sales/external-api/read-application.ts';
import { changeOwnApplication } from '../../shared/sales/external-api/save-application.ts';
import {
  ExternalApplication,
  ExternalApplicationParams,
  ExternalApplicationPatch,
} from '../../shared/sales/external-api/schema.ts';
import { showExternalApplication } from '../../shared/sales/external-api/show-application.ts';

export default endpoint({
  method: 'PATCH',
  path: '/extapi/applications/{externalId}',
  permission: 'useExternalApi',
  proof: [{ purpose: 'bank_data', ifBody: ['businessBanking.bankAccount', 'businessBanking.bankRouting'] }],
  sensitive: true,
  params: ExternalApplicationParams,
  body: ExternalApplicationPatch,
  response: ExternalApplication,
  errors: ['application_not_pending'],
  emits: ['application_updated', 'application_completed', 'extapi_application_updated'],
  summary: 'Change the given fields of an application that the caller sent',
  description:
    'Null clears a field. Each sent owner is matched with a stored owner by uniqueId, or by id if uniqueId is omitted. Other owners are kept.',
  decide: async (request) => {
    const { accountRecord } = request;
    const before = await readOwnApplication(request);
    await request.checkReadOnly(() => showExternalApplication(before, accountRecord));
    const { after, writes, events } = await changeOwnApplication(before, request.body, request);
    return { response: showExternalApplication(after, accountRecord), writes, events };
  },
});
