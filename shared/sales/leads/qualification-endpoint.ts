import { endpoint } from '../../endpoints/endpoint.ts';
import { reached } from '../../endpoints/reached.ts';
import { subjectOf } from '../../events/subject.ts';
import { revise } from '../../table/revise.ts';
import { Lead, LeadParams, Reason } from './schema.ts';
import { leads } from './store.ts';

/**
 * Declares an endpoint that sets `qualification` and `qualificationReason` of a lead. A repeated request changes nothing and
 * emits no event.
 */
export const qualificationEndpoint = (
  qualification: 'qualified' | 'disqualified',
  contract: { path: string; summary: string },
) =>
  endpoint({
    ...contract,
    method: 'POST',
    permission: 'writeLeads',
    reach: 'lead',
    params: LeadParams,
    body: Reason,
    bodyOptional: true,
    response: Lead,
    emits: [`lead_${qualification}`],
    read: (input) => reached(input, 'lead', leads.get(input.account, input.params.leadId)),
    decide: (request, lead) => {
      const { reason } = request.body;
      const after = revise(lead, { qualification, qualificationReason: reason ?? null }, request);
      const subject = subjectOf(leads, after);
      return {
        response: after,
        writes: leads.replace(lead, after),
        events: after === lead ? [] : [{ kind: `lead_${qualification}`, subject, data: { reason } }],
      };
    },
  });
