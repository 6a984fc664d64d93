import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { sensitiveDataRevealed } from '../../shared/events/emit.ts';
import { applicationResponse, revealFor } from '../../shared/sales/applications/application-response.ts';
import {
  changeOrCreate,
  readableApplication,
  readForChange,
} from '../../shared/sales/applications/form/change-or-create.ts';
import {
  AnyApplicationParams,
  Application,
  ApplicationInput,
  ApplicationPatchQuery,
} from '../../shared/sales/applications/record/schema.ts';
import { applications } from '../../shared/sales/applications/store.ts';

export default endpoint({
  method: 'PATCH',
  path: '/applications/{applicationId}',
  permission: 'writeApplications',
  reach: 'application',
  proof: [
    { purpose: 'reveal', ifQuery: 'reveal' },
    { purpose: 'bank_data', ifBody: ['businessBanking.bankAccount', 'businessBanking.bankRouting'] },
  ],
  applicant: true,
  applicantMayNotSend: ['system', 'repcode', 'createIfNotExists'],
  sensitive: true,
  params: AnyApplicationParams,
  query: ApplicationPatchQuery,
  body: ApplicationInput,
  response: Application,
  errors: ['application_not_pending', 'id_retired'],
  emits: [
    'application_created',
    'application_updated',
    'application_completed',
    'application_sensitive_data_revealed',
  ],
  summary: 'Change the given fields of an application, or create an application with the given id',
  description:
    'A new application belongs to the user who sends the request, as in POST. Null clears a field. REDACTED keeps the stored sensitive value. Each sent owner is matched with a stored owner by uniqueId, or by id if uniqueId is omitted.',
  read: (input) => readForChange(input, input.params.applicationId, input.query),
  decide: async (request, { known, auditLog, files }) => {
    await request.checkReadOnly(() => known.record && readableApplication(known.record, request));
    const { after, completeness, writes, events } = await changeOrCreate(known, request);
    const shown = await revealFor(after, request);
    return {
      response: applicationResponse(after, request, { auditLog, files, completeness, ...shown }),
      writes,
      events: [...events, ...sensitiveDataRevealed(applications, after, [...shown.values.keys()])],
    };
  },
});
