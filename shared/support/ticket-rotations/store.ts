import { asUniqueRecordId, uniqueIdOf } from '../../id/unique-id.ts';
import { rotationStore, withPosition } from '../../rotations/rotation-store.ts';
import { recordStore } from '../../table/record-store.ts';
import type { StoredTicketRotation, TicketRotation } from './schema.ts';

const records = recordStore<StoredTicketRotation, 'ticket_rotation'>({
  resource: 'ticket_rotation',
  idFrom: (text) => asUniqueRecordId('rot', text),
});

const show: Parameters<typeof rotationStore<StoredTicketRotation, 'ticket_rotation', TicketRotation>>[1] = (
  rotation,
  progress,
) => ({
  ...withPosition(rotation, progress),
  uniqueId: uniqueIdOf('rot', rotation.id),
});

export const ticketRotations = rotationStore(records, show);
