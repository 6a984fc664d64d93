import { deleteRecord } from '../../shared/endpoints/record-endpoints.ts';
import { LeadRotation } from '../../shared/sales/lead-rotations/schema.ts';
import { leadRotations } from '../../shared/sales/lead-rotations/store.ts';

export default deleteRecord(leadRotations, {
  path: '/lead-rotations/{id}',
  permission: 'writeLeadRotations',
  response: LeadRotation,
  emits: 'lead_rotation_deleted',
  summary: 'Delete a lead rotation',
});
