import { reached } from '../../shared/endpoints/reached.ts';
import { updated } from '../../shared/events/emit.ts';
import { putParticipants } from '../../shared/people/ownership/put-participants.ts';
import { Lead, LeadParams } from '../../shared/sales/leads/schema.ts';
import { leads } from '../../shared/sales/leads/store.ts';

export default putParticipants(
  {
    type: 'lead',
    path: '/leads/{leadId}',
    params: LeadParams,
    response: Lead,
    emits: 'lead_updated',
    read: (input) => reached(input, 'lead', leads.get(input.account, input.params.leadId)),
    show: leads.show,
    replace: (before: Lead, after: Lead) => leads.replace(before, after),
    updated: (before, after) => updated(leads, 'lead_updated', before, after),
  },
  { summary: 'Set the participants of a lead' },
);
