import { readRecord } from '../../shared/http/record-endpoints.ts';
import { LeadRotation } from '../../shared/lead-rotations/schema.ts';
import { leadRotations } from '../../shared/lead-rotations/store.ts';

export default readRecord(leadRotations, {
  path: '/lead-rotations/{id}',
  permission: 'readLeadRotations',
  response: LeadRotation,
  summary: 'Read a lead rotation',
});
