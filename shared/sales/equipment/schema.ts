import {
  date,
  dateTime,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  partial,
  recordId,
  type Static,
  string,
} from '../../schema.ts';
import type { Child } from '../../table/child-store.ts';

const text = (example: string) => string({ maxLength: 200, examples: [example] });
const type = string({ minLength: 1, maxLength: 200, examples: ['terminal'] });
const model = text('Northwind T2');
const serialNumber = text('NW-0042-7711');
const status = oneOf(['active', 'inactive', 'returned']);
const day = date();

export const Equipment = object({
  id: string({ readOnly: true, examples: ['214563398120450'] }),
  merchantId: recordId({ readOnly: true }),
  type,
  model: optional(model),
  serialNumber: optional(serialNumber),
  status,
  deployedDate: optional(day),
  returnedDate: optional(day),
  version: integer({ readOnly: true, examples: [1] }),
  createdAt: dateTime({ readOnly: true }),
  createdBy: optional(string({ readOnly: true, examples: ['grace@example.com'] })),
  updatedAt: dateTime({ readOnly: true }),
  updatedBy: optional(string({ readOnly: true, examples: ['grace@example.com'] })),
});
export type Equipment = Static<typeof Equipment>;

/** A piece of equipment as stored. `kind` is the type of the equipment, because `type` is the item type. */
export type StoredEquipment = Child & Omit<Equipment, 'id' | 'type'> & { kind: string };

export const EquipmentInput = object({
  type,
  ...partial({ model, serialNumber, status, deployedDate: day, returnedDate: day }).properties,
});
export const EquipmentPatch = partial({
  type,
  model: nullable(model),
  serialNumber: nullable(serialNumber),
  status,
  deployedDate: nullable(day),
  returnedDate: nullable(day),
});
export type EquipmentPatch = Static<typeof EquipmentPatch>;
export const EquipmentParams = object({ merchantId: recordId(), equipmentId: recordId() });
