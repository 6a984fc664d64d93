import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { requireShownEvent, subjectsWithReach } from '../../shared/endpoints/parent-records.ts';
import { proveEvent } from '../../shared/integrity/event-seals/prove-event.ts';
import { EventProof } from '../../shared/integrity/event-seals/schema.ts';
import { deferred } from '../../shared/table/in-parallel.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'GET',
  path: '/events/{id}/proof',
  permission: 'readEvents',
  reach: subjectsWithReach,
  params: RecordParams,
  response: EventProof,
  errors: ['event_not_sealed', 'event_altered'],
  summary: 'Prove that an event is in the sealed event log',
  description:
    'Returns the seal, and the hashes from the event up to the Merkle root in the seal. To verify the proof, only the public key is needed.',
  // Otherwise, an error would show whether a hidden event is sealed.
  read: async ({ account, params, now }) => deferred(proveEvent(account, params.id, now)),
  decide: async (request, { reading }) => {
    await requireShownEvent(request, request.params.id);
    return { response: await reading };
  },
});
