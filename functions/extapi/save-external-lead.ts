import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { leadReference, readKnownLead, saveLead } from '../../shared/sales/external-api/save-lead.ts';
import { ExternalLead, SavedLead } from '../../shared/sales/external-api/schema.ts';
import { readRotations } from '../../shared/sales/lead-rotations/assign-lead.ts';

export default endpoint({
  method: 'POST',
  path: '/extapi/leads',
  permission: 'useExternalApi',
  body: ExternalLead,
  response: SavedLead,
  errors: ['id_retired'],
  emits: ['lead_created', 'lead_updated', 'extapi_lead_created'],
  summary: 'Send a lead',
  description:
    'Creates a lead, or changes the lead that the caller sent earlier with the same externalId. Null clears an optional field. A value that was sent before does not replace a newer value of the account’s staff.',
  read: ({ account }) => readRotations(account),
  decide: async (request, rotations) => {
    const { body } = request;
    const known = await readKnownLead(leadReference(request, body.externalId));
    const { result, writes, events } = await saveLead(request, body, known, rotations);
    return { response: { externalId: body.externalId, result }, writes, events };
  },
});
