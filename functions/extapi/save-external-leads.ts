import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { checkElements } from '../../shared/endpoints/validation.ts';
import { requireDistinct, saveLeads } from '../../shared/sales/external-api/save-leads.ts';
import { ExternalLeadBatch, ExternalLeadResults } from '../../shared/sales/external-api/schema.ts';
import { readRotations } from '../../shared/sales/lead-rotations/assign-lead.ts';

export default endpoint({
  method: 'POST',
  path: '/extapi/leads/batch',
  permission: 'useExternalApi',
  body: ExternalLeadBatch,
  response: ExternalLeadResults,
  emits: ['lead_created', 'lead_updated', 'extapi_lead_created', 'extapi_lead_batch_submitted'],
  commitsParts: true,
  summary: 'Send up to 100 leads',
  description:
    'Saves each lead in a separate transaction, as POST /extapi/leads does. If a lead is invalid or fails, its result contains the error, and the other leads are still saved. A repeated batch changes nothing.',
  checkBody: (validate, sent) => checkElements(validate, sent, 'leads'),
  read: ({ account }) => readRotations(account),
  decide: async (request, rotations) => {
    requireDistinct(request.body);
    const { response, events } = await saveLeads(request, request.body, rotations);
    return { response, writes: [], events };
  },
});
