import { happened } from '../../events/announce.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { LeadRotation } from '../../shared/lead-rotations/lead-rotation.ts';
import { leadRotations } from '../../shared/lead-rotations/lead-rotations.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint(
  {
    method: 'DELETE',
    path: '/lead-rotations/{id}',
    permission: 'writeLeadRotations',
    params: RecordParams,
    response: LeadRotation,
    announces: ['lead_rotation_deleted'],
    summary: 'Delete a lead rotation',
  },
  {
    read: ({ account, params }) => leadRotations.getShown(account, params.id),
    decide: ({ now }, { rotation, shown }) => ({
      answer: shown,
      writes: leadRotations.bury(rotation, now),
      events: happened('lead_rotation_deleted', 'lead_rotation', rotation),
    }),
  },
);
