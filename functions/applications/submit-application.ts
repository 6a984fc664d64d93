import { emptyBody } from '../../shared/endpoints/empty-body.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { reached } from '../../shared/endpoints/reached.ts';
import { sensitiveDataRevealed } from '../../shared/events/emit.ts';
import { applicationResponse, revealFor } from '../../shared/sales/applications/application-response.ts';
import { externalStatusChanged } from '../../shared/sales/applications/external-status.ts';
import {
  Application,
  ApplicationParams,
  ApplicationReadQuery,
} from '../../shared/sales/applications/record/schema.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import {
  readForSubmission,
  submitWithRules,
} from '../../shared/sales/underwriting-rules/submit-with-rules.ts';
import { object } from '../../shared/schema.ts';

export default endpoint({
  method: 'POST',
  path: '/applications/{applicationId}/submit',
  permission: 'writeApplications',
  reach: 'application',
  proof: [{ purpose: 'reveal', ifQuery: 'reveal' }],
  applicant: true,
  sensitive: true,
  params: ApplicationParams,
  query: object({ reveal: ApplicationReadQuery.properties.reveal }),
  ...emptyBody,
  response: Application,
  errors: ['application_not_pending', 'application_incomplete'],
  oneTime: ['system.appKey'],
  emits: [
    'application_submitted',
    'underwriting_decision_made',
    'merchant_created',
    'underwriting_application_assigned',
    'underwriting_application_priority_changed',
    'application_sensitive_data_revealed',
    'extapi_status_change',
  ],
  summary: 'Submit an application for underwriting',
  description:
    'The form cannot be changed afterwards. If the account requires complete applications, the `details` of the error list the missing items. The response shows sensitive values under the same conditions as GET, and an event records the access. The account’s underwriting rules run, so the application may be decided immediately.',
  read: ({ account, params: { applicationId: id }, ...input }) =>
    readForSubmission(account, reached(input, 'application', applications.get(account, id))),
  decide: async (request, reads) => {
    const { after, writes, events } = await submitWithRules(reads, request);
    const shown = await revealFor(after, request);
    return {
      response: applicationResponse(after, request, shown),
      writes,
      events: [
        ...externalStatusChanged(after, 'submitted'),
        ...events,
        ...sensitiveDataRevealed(applications, after, [...shown.values.keys()]),
      ],
    };
  },
});
