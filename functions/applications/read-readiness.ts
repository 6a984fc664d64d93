import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { reached } from '../../shared/endpoints/reached.ts';
import { readiness, readinessForApplicant } from '../../shared/sales/applications/completeness/readiness.ts';
import { Readiness } from '../../shared/sales/applications/completeness/readiness-schema.ts';
import { ApplicationParams } from '../../shared/sales/applications/record/schema.ts';
import { applications } from '../../shared/sales/applications/store.ts';

export default endpoint({
  method: 'GET',
  path: '/applications/{applicationId}/readiness',
  permission: 'readApplications',
  reach: 'application',
  applicant: true,
  params: ApplicationParams,
  response: Readiness,
  summary: 'List the remaining steps of an application, in order, with reasons',
  description:
    '`otherwise` lists how the steps would change with each of the other processing methods. With an appKey, facts that contain a threshold are omitted.',
  read: (input) => reached(input, 'application', applications.get(input.account, input.params.applicationId)),
  decide: ({ accountRecord, principal }, application) => {
    const { infoRequested } = application.admin;
    const all = readiness(application, infoRequested, accountRecord.requireCompleteApplication);
    return { response: principal.kind === 'applicant' ? readinessForApplicant(all) : all };
  },
});
