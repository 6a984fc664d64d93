import { childStore } from '../table/child-store.ts';
import type { Equipment, StoredEquipment } from './schema.ts';

const children = childStore<StoredEquipment, 'equipment'>({
  parent: 'MERCHANT',
  kind: 'EQUIPMENT',
  subject: 'equipment',
  parentOf: ({ merchantId }) => merchantId,
});

/** The equipment of merchants. */
export const equipment = { ...children, show: showEquipment };

/** A piece of equipment as the API shows it. */
export function showEquipment({ accountId, listId, ...piece }: StoredEquipment): Equipment {
  return { ...piece, id: String(piece.id) };
}
