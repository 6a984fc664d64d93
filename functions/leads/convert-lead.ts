import { emptyBody } from '../../shared/endpoints/empty-body.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { fieldWarnings, warningsIn } from '../../shared/endpoints/field-warnings.ts';
import { reached } from '../../shared/endpoints/reached.ts';
import { applicationResponse } from '../../shared/sales/applications/application-response.ts';
import { convertLead } from '../../shared/sales/applications/form/convert-lead.ts';
import { Application } from '../../shared/sales/applications/record/schema.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { leadConverted } from '../../shared/sales/leads/events.ts';
import { Lead, LeadParams } from '../../shared/sales/leads/schema.ts';
import { leads } from '../../shared/sales/leads/store.ts';
import { object } from '../../shared/schema.ts';

export default endpoint({
  method: 'POST',
  path: '/leads/{leadId}/convert',
  permission: ['writeLeads', 'writeApplications'],
  reach: ['lead', 'application'],
  sensitive: true,
  params: LeadParams,
  ...emptyBody,
  response: object({ lead: Lead, application: Application, warnings: fieldWarnings }),
  emits: ['lead_converted', 'application_created'],
  summary: 'Convert a lead to an application',
  description:
    'Repeating the request returns the same application. If that application was deleted, a new application is created.',
  read: async ({ account, params, ...input }) => {
    const lead = await reached(input, 'lead', leads.get(account, params.leadId));
    const { applicationId } = lead;
    const application = applicationId && (await applications.find(account, applicationId));
    if (application) await input.requireReach('application', application, application.id);
    return { lead, application };
  },
  decide: async (request, { lead: before, application: known }) => {
    const show = { ...request, query: {} };
    if (known) return { response: { lead: before, application: applicationResponse(known, show) } };
    const { lead, after, writes, events, warnings } = await convertLead(before, request);
    return {
      response: { lead, application: applicationResponse(after, show), ...warningsIn(warnings) },
      writes: [...leads.replace(before, lead), ...writes],
      events: [...leadConverted(lead, after), ...events],
    };
  },
});
