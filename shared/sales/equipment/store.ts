import { childStore } from '../../table/child-store.ts';
import type { Equipment, EquipmentPatch, StoredEquipment } from './schema.ts';

const children = childStore<StoredEquipment, 'equipment'>({
  resource: 'equipment',
  parent: 'merchant',
  parentOf: ({ merchantId }) => merchantId,
});

export const equipment = { ...children, show: showEquipment };

function showEquipment({ accountId, listId, kind, ...piece }: StoredEquipment): Equipment {
  return { ...piece, id: String(piece.id), type: kind };
}

/** Converts the fields of a request to stored fields. */
export const toStoredEquipment = <F extends EquipmentPatch>({ type, ...fields }: F) => ({
  ...fields,
  kind: type,
});
