import { createRecord } from '../../shared/http/record-endpoints.ts';
import { LeadSource, LeadSourceInput } from '../../shared/lead-sources/schema.ts';
import { leadSources } from '../../shared/lead-sources/store.ts';
import { newRecord } from '../../shared/table/record-fields.ts';
import { teams } from '../../shared/teams/store.ts';

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
