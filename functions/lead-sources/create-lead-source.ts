import { createRecord } from '../../shared/endpoints/record-endpoints.ts';
import { teams } from '../../shared/people/teams/store.ts';
import { LeadSource, LeadSourceInput } from '../../shared/sales/lead-sources/schema.ts';
import { leadSources } from '../../shared/sales/lead-sources/store.ts';
import { newRecord } from '../../shared/table/record-fields.ts';

export default createRecord(leadSources, {
  path: '/lead-sources',
  permission: 'writeLeadSources',
  body: LeadSourceInput,
  response: LeadSource,
  errors: ['team_unknown'],
  emits: 'lead_source_created',
  refersTo: ({ account, body }) => teams.requireActive(account, body.teamId),
  record: (request) => ({ active: true, ...request.body, ...newRecord(request) }),
  summary: 'Create a lead source',
});
