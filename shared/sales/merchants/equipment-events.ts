import { byPath, changesBetween } from '../../events/changes.ts';
import type { EventDraft } from '../../events/envelope.ts';
import type { StoredEquipment } from '../equipment/schema.ts';

/**
 * Returns the event of created, changed or deleted equipment: `merchant_updated` with the paths `equipment[<id>].…`,
 * because there is no event kind for equipment. Returns no event if nothing changed.
 */
export function equipmentChanged(
  before: StoredEquipment | undefined,
  after: StoredEquipment | undefined,
): EventDraft[] {
  const changes = changesBetween(pathsOf(before), pathsOf(after));
  const merchantId = (after ?? before)?.merchantId;
  if (merchantId === undefined || Object.keys(changes).length === 0) return [];
  return [{ kind: 'merchant_updated', subject: { type: 'merchant', id: merchantId }, data: { changes } }];
}

function pathsOf(piece: StoredEquipment | undefined): object {
  if (!piece) return {};
  const { id, kind: type, model, serialNumber, status, deployedDate, returnedDate } = piece;
  return byPath({ equipment: [{ id, type, model, serialNumber, status, deployedDate, returnedDate }] });
}
