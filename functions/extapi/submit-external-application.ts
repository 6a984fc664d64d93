import { emptyBody } from '../../shared/endpoints/empty-body.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { readOwnApplication } from '../../shared/sales/external-api/read-application.ts';
import { externalEvent } from '../../shared/sales/external-api/save-application.ts';
import { ExternalApplication, ExternalApplicationParams } from '../../shared/sales/external-api/schema.ts';
import { showExternalApplication } from '../../shared/sales/external-api/show-application.ts';
import {
  readForSubmission,
  submitWithRules,
} from '../../shared/sales/underwriting-rules/submit-with-rules.ts';

export default endpoint({
  method: 'POST',
  path: '/extapi/applications/{externalId}/submit',
  permission: 'useExternalApi',
  sensitive: true,
  params: ExternalApplicationParams,
  ...emptyBody,
  response: ExternalApplication,
  errors: ['application_not_pending', 'application_incomplete'],
  emits: [
    'application_submitted',
    'extapi_application_submitted',
    'underwriting_decision_made',
    'merchant_created',
    'underwriting_application_assigned',
    'underwriting_application_priority_changed',
    'extapi_status_change',
  ],
  summary: 'Submit an application that the caller sent',
  description:
    'The form cannot be changed afterwards. If the account requires complete applications, the `details` of the error list the missing items.',
  decide: async (request) => {
    const reads = await readForSubmission(request.account, readOwnApplication(request));
    const { after, writes, events } = await submitWithRules(reads, request);
    return {
      response: showExternalApplication(after, request.accountRecord),
      writes,
      events: [externalEvent('extapi_application_submitted', after), ...events],
    };
  },
});
