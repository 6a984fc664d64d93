import { happened } from '../../shared/events/emit.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { LeadRotation } from '../../shared/lead-rotations/schema.ts';
import { leadRotations } from '../../shared/lead-rotations/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint(
  {
    method: 'DELETE',
    path: '/lead-rotations/{id}',
    permission: 'writeLeadRotations',
    params: RecordParams,
    response: LeadRotation,
    emits: ['lead_rotation_deleted'],
    summary: 'Delete a lead rotation',
  },
  {
    read: ({ account, params }) => leadRotations.getShown(account, params.id),
    decide: ({ now }, { rotation, shown }) => ({
      response: shown,
      writes: leadRotations.tombstone(rotation, now),
      events: happened(leadRotations, 'lead_rotation_deleted', rotation),
    }),
  },
);
