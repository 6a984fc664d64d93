import { asUniqueId } from '../../id/unique-id.ts';
import { defineFields, typesOfKeys } from './define-fields.ts';
import type { CustomFieldType, StoredTicketType, TicketTypeReplacement } from './schema.ts';

/** Returns the fields that a body sets, with defaults for omitted fields. Throws the errors of `defineFields`. */
export const settingsFrom = (body: TicketTypeReplacement, used?: ReadonlyMap<string, CustomFieldType>) => ({
  name: body.name,
  description: body.description,
  category: body.category,
  requiredPermissions: [...new Set(body.requiredPermissions)],
  autoAssignmentEnabled: body.autoAssignmentEnabled ?? false,
  rotationId: body.rotationId ? asUniqueId('rot', body.rotationId) : undefined,
  customFields: defineFields(body.customFields ?? [], used),
  sortOrder: body.sortOrder ?? 0,
});

/**
 * Returns the changes of a PUT, which does not change `isActive`. `formerFields` keeps the types of removed
 * keys, because a key that is added again must have its former type.
 */
export function replaceType(before: StoredTicketType, body: TicketTypeReplacement) {
  const used = typesOfKeys(before.customFields, before.formerFields);
  const settings = settingsFrom(body, used);
  const current = new Set(settings.customFields.map(({ key }) => key));
  const former = [...used].filter(([key]) => !current.has(key));
  return {
    ...settings,
    rotationId: settings.rotationId ?? null,
    formerFields: former.length > 0 ? Object.fromEntries(former) : null,
  };
}
