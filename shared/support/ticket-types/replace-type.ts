import { asUniqueId } from '../../id/unique-id.ts';
import { defineFields, typesOfKeys } from './define-fields.ts';
import type { CustomFieldType, StoredTicketType, TicketTypeReplacement } from './schema.ts';

/** What a body sets of a ticket type, whole: what it leaves out has its default. Throws as `defineFields` does. */
export const settingsFrom = (
  body: TicketTypeReplacement,
  used?: ReadonlyMap<string, CustomFieldType>,
): Required<Omit<TicketTypeReplacement, 'rotationId' | 'customFields'>> &
  Pick<StoredTicketType, 'rotationId' | 'customFields'> => ({
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
 * What a PUT changes of a type. `isActive` stays, and every key that goes leaves its type behind. Interface, "PUT
 * /ticket-types/{id}".
 */
export function replacementOf(before: StoredTicketType, body: TicketTypeReplacement) {
  const used = typesOfKeys(before.customFields, before.formerFields);
  const settings = settingsFrom(body, used);
  const present = new Set(settings.customFields.map(({ key }) => key));
  const former = [...used].filter(([key]) => !present.has(key));
  return {
    ...settings,
    rotationId: settings.rotationId ?? null,
    formerFields: former.length > 0 ? Object.fromEntries(former) : null,
  };
}
