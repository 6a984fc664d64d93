import { rotationStore, withPosition } from '../../rotations/rotation-store.ts';
import { recordStore } from '../../table/record-store.ts';
import type { StoredLeadRotation } from './schema.ts';

const records = recordStore<StoredLeadRotation, 'lead_rotation'>({
  resource: 'lead_rotation',
});

export const leadRotations = rotationStore(records, withPosition);
