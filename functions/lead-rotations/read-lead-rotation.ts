import { endpoint } from '../../shared/http/endpoint.ts';
import { LeadRotation } from '../../shared/lead-rotations/schema.ts';
import { leadRotations } from '../../shared/lead-rotations/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint(
  {
    method: 'GET',
    path: '/lead-rotations/{id}',
    permission: 'readLeadRotations',
    params: RecordParams,
    response: LeadRotation,
    summary: 'Read a lead rotation',
  },
  {
    read: ({ account, params }) => leadRotations.getShown(account, params.id),
    decide: (_, { shown }) => ({ response: shown }),
  },
);
