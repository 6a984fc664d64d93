import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { reached } from '../../shared/endpoints/reached.ts';
import { sensitiveDataRevealed } from '../../shared/events/emit.ts';
import type { AuditEntry } from '../../shared/integrity/audit/schema.ts';
import { applicationReadResponse, revealFor } from '../../shared/sales/applications/application-response.ts';
import { readFiles } from '../../shared/sales/applications/documents/read-files.ts';
import {
  Application,
  ApplicationParams,
  ApplicationReadQuery,
} from '../../shared/sales/applications/record/schema.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'GET',
  path: '/applications/{applicationId}',
  permission: 'readApplications',
  reach: 'application',
  proof: [{ purpose: 'reveal', ifQuery: 'reveal' }],
  applicant: true,
  sensitive: true,
  params: ApplicationParams,
  query: ApplicationReadQuery,
  response: Application,
  emits: ['application_sensitive_data_revealed'],
  summary: 'Read an application with its audit log',
  description:
    'To callers with a fresh proof, the response shows sensitive values, and an event records the access. Otherwise, and with `reveal=false`, sensitive values are REDACTED.',
  read: ({ account, params: { applicationId }, query, ...input }) =>
    inParallel([
      reached(input, 'application', applications.getWithAudit<AuditEntry>(account, applicationId)),
      readFiles(account, applicationId, query),
    ]),
  decide: async (request, [{ auditLog, ...application }, files]) => {
    const shown = await revealFor(application, request);
    return {
      response: applicationReadResponse(application, request, { auditLog, files, ...shown }),
      writes: [],
      events: sensitiveDataRevealed(applications, application, [...shown.values.keys()]),
    };
  },
});
