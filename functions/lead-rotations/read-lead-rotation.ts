import { readRecord } from '../../shared/endpoints/record-endpoints.ts';
import { LeadRotation } from '../../shared/sales/lead-rotations/schema.ts';
import { leadRotations } from '../../shared/sales/lead-rotations/store.ts';

export default readRecord(leadRotations, {
  path: '/lead-rotations/{id}',
  permission: 'readLeadRotations',
  response: LeadRotation,
  summary: 'Read a lead rotation',
});
