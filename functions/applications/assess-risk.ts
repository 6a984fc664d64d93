import { emptyBody } from '../../shared/endpoints/empty-body.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { reached } from '../../shared/endpoints/reached.ts';
import { duplicatesOf } from '../../shared/sales/applications/record/encrypt-application.ts';
import { ApplicationParams, RiskAssessment } from '../../shared/sales/applications/record/schema.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { assessRisk } from '../../shared/sales/applications/underwriting/assess-risk.ts';
import { riskAssessed } from '../../shared/sales/applications/underwriting/underwriting-events.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint({
  method: 'POST',
  path: '/applications/{applicationId}/risk-assessment',
  // The score reveals whether another application or merchant has the same sensitive values. Therefore the
  // caller needs permission to read all of both.
  permission: ['writeUnderwriting', 'readApplications', 'readMerchants'],
  params: ApplicationParams,
  ...emptyBody,
  response: RiskAssessment,
  emits: ['underwriting_risk_assessment_generated'],
  summary: 'Assess the risk of an application',
  description:
    'The score depends only on the form and on collisions with other records. The caller must be permitted to read all applications and merchants. The assessment replaces the previous one. An approval copies the assessment to the merchant.',
  read: async ({ account, params, ...input }) => {
    const reading = applications.get(account, params.applicationId);
    const application = await reached(input, 'application', reading);
    return { application, collisions: await duplicatesOf(application) };
  },
  decide: (request, { application, collisions }) => {
    const { principal, now } = request;
    const risk = {
      ...assessRisk(application, collisions.length),
      assessedAt: now.toISOString(),
      assessedBy: principal.actor.user,
    };
    const after = revise(application, { admin: { ...application.admin, risk } }, request);
    return {
      response: risk,
      writes: applications.replace(application, after),
      events: riskAssessed(after, risk),
    };
  },
});
