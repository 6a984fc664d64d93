import type { AccountId } from '../../id/account-id.ts';
import { asUniqueRecordId, uniqueIdOf } from '../../id/unique-id.ts';
import { knownTicketType } from '../ticket-types/require-ticket-type.ts';
import type { StoredTicketType } from '../ticket-types/schema.ts';
import { ticketTypes } from '../ticket-types/store.ts';
import type { StoredMapping, TicketTypeMapping, TicketTypeMappingInput } from './schema.ts';
import { mappings } from './store.ts';

export const showMapping = (
  mapping: StoredMapping,
  type: StoredTicketType | undefined,
): TicketTypeMapping => ({
  ...mapping,
  ticketType: type
    ? {
        uniqueId: uniqueIdOf('tty', type.id),
        name: type.name,
        description: type.description,
        category: type.category,
        isActive: type.isActive,
      }
    : null,
});

/** Adds the ticket types to mappings. Each type is read once. */
export async function showMappings(
  account: AccountId,
  stored: readonly StoredMapping[],
): Promise<TicketTypeMapping[]> {
  const ids = stored.map(({ serviceTicketTypeId }) => asUniqueRecordId('tty', serviceTicketTypeId));
  const named = [...new Set(ids)].filter((id) => id !== undefined);
  const types = new Map((await ticketTypes.findMany(account, named)).map((type) => [type.id, type]));
  return stored.map((mapping, index) => showMapping(mapping, types.get(ids[index] ?? 0)));
}

export const readShown = async (mapping: StoredMapping): Promise<TicketTypeMapping> =>
  showMapping(mapping, await ticketTypes.findByReference(mapping.accountId, mapping.serviceTicketTypeId));

/** Reads a mapping as it is stored, and as a response shows it. */
export async function readMapping(account: AccountId, id: number) {
  const stored = await mappings.get(account, id);
  return { stored, response: await readShown(stored) };
}

/** Returns the fields that a request body sets. The category defaults to the category of the ticket type. */
export const mappingFrom = (body: TicketTypeMappingInput, type: StoredTicketType) => ({
  partnerCategoryId: body.partnerCategoryId,
  partnerCategoryName: body.partnerCategoryName ?? undefined,
  serviceTicketTypeId: uniqueIdOf('tty', type.id),
  serviceCategoryEnum: body.serviceCategoryEnum ?? type.category,
});

/**
 * Returns the changes of a PUT, which clears omitted fields. Throws `ticket_type_unknown` if the new type does not
 * exist. A mapping may keep its type even if the type was deleted.
 */
export function replacementOf(
  before: StoredMapping,
  body: TicketTypeMappingInput,
  type: StoredTicketType | undefined,
) {
  const isHeld = body.serviceTicketTypeId === before.serviceTicketTypeId;
  const set = !type && isHeld ? body : mappingFrom(body, knownTicketType('serviceTicketTypeId', type));
  return { ...set, partnerCategoryName: body.partnerCategoryName ?? null };
}
