import { childStore } from '../../table/child-store.ts';
import type { Equipment, EquipmentPatch, StoredEquipment } from './schema.ts';

const children = childStore<StoredEquipment, 'equipment'>({
  parent: 'MERCHANT',
  kind: 'EQUIPMENT',
  subject: 'equipment',
  parentOf: ({ merchantId }) => merchantId,
});

/** The equipment of merchants. */
export const equipment = { ...children, show: showEquipment };

/** A piece of equipment as the API shows it. */
function showEquipment({ accountId, listId, kind, ...piece }: StoredEquipment): Equipment {
  return { ...piece, id: String(piece.id), type: kind };
}

/** What a request says of a piece of equipment, as it is stored. */
export const toStored = <F extends EquipmentPatch>({ type, ...fields }: F) => ({ ...fields, kind: type });
