import { patchRecord } from '../../shared/endpoints/record-endpoints.ts';
import { teams } from '../../shared/people/teams/store.ts';
import { LeadSource, LeadSourcePatch } from '../../shared/sales/lead-sources/schema.ts';
import { leadSources } from '../../shared/sales/lead-sources/store.ts';

export default patchRecord(leadSources, {
  path: '/lead-sources/{id}',
  permission: 'writeLeadSources',
  body: LeadSourcePatch,
  response: LeadSource,
  errors: ['team_unknown'],
  emits: 'lead_source_updated',
  refersTo: { field: 'teamId', check: ({ account, body }) => teams.requireActive(account, body.teamId) },
  set: ({ body }) => body,
  summary: 'Change the given fields of a lead source',
});
