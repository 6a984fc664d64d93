import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { applicationReference } from '../../shared/sales/external-api/read-application.ts';
import { saveApplication } from '../../shared/sales/external-api/save-application.ts';
import { ExternalApplication, ExternalApplicationInput } from '../../shared/sales/external-api/schema.ts';
import { showExternalApplication } from '../../shared/sales/external-api/show-application.ts';

export default endpoint({
  method: 'POST',
  path: '/extapi/applications',
  permission: 'useExternalApi',
  proof: [{ purpose: 'bank_data', ifBody: ['businessBanking.bankAccount', 'businessBanking.bankRouting'] }],
  sensitive: true,
  body: ExternalApplicationInput,
  response: ExternalApplication,
  errors: ['application_not_pending', 'id_retired'],
  emits: [
    'application_created',
    'application_updated',
    'application_completed',
    'extapi_application_updated',
  ],
  summary: 'Send an application',
  description:
    'Creates an application, or changes the application that the caller sent earlier with the same externalId. The response contains no value of the form.',
  decide: async (request) => {
    const { externalId, ...body } = request.body;
    const reference = applicationReference(request, externalId);
    const { after, writes, events } = await saveApplication(reference, body, request);
    return { response: showExternalApplication(after, request.accountRecord), writes, events };
  },
});
