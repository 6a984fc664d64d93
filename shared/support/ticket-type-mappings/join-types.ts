import type { AccountId } from '../../id/account-id.ts';
import { asUniqueRecordId, uniqueIdOf } from '../../id/unique-id.ts';
import type { Principal } from '../../security/principal.ts';
import { knownTicketType } from '../ticket-types/require-ticket-type.ts';
import type { StoredTicketType } from '../ticket-types/schema.ts';
import { ticketTypes } from '../ticket-types/store.ts';
import type { StoredMapping, TicketTypeMapping, TicketTypeMappingInput } from './schema.ts';
import { mappings } from './store.ts';

/** Returns a mapping as this caller may see it. */
export const showMapping = (
  { permissions }: Principal,
  mapping: StoredMapping,
  type: StoredTicketType | undefined,
): TicketTypeMapping => ({
  ...mapping,
  ticketType:
    type && permissions.has('readTicketTypes')
      ? {
          uniqueId: uniqueIdOf('tty', type.id),
          name: type.name,
          description: type.description,
          category: type.category,
          isActive: type.isActive,
        }
      : null,
});

/** A mapping with its ticket type, if the type still exists. */
interface JoinedMapping {
  stored: StoredMapping;
  type: StoredTicketType | undefined;
}

/** Adds the ticket types to mappings. Each type is read once. */
export async function joinTypes(
  account: AccountId,
  stored: readonly StoredMapping[],
): Promise<JoinedMapping[]> {
  const ids = stored.map(({ serviceTicketTypeId }) => asUniqueRecordId('tty', serviceTicketTypeId));
  const named = [...new Set(ids)].filter((id) => id !== undefined);
  const types = new Map((await ticketTypes.findMany(account, named)).map((type) => [type.id, type]));
  return stored.map((mapping, index) => ({ stored: mapping, type: types.get(ids[index] ?? 0) }));
}

/** Reads the ticket type of a mapping, if the type still exists. */
export const typeOf = ({ accountId, serviceTicketTypeId }: StoredMapping) =>
  ticketTypes.findByReference(accountId, serviceTicketTypeId);

/** Reads a mapping with its ticket type. Throws `not_found`. */
export async function readMapping(account: AccountId, id: number): Promise<JoinedMapping> {
  const stored = await mappings.get(account, id);
  return { stored, type: await typeOf(stored) };
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
export function replaceMapping(
  before: StoredMapping,
  body: TicketTypeMappingInput,
  type: StoredTicketType | undefined,
) {
  const isHeld = body.serviceTicketTypeId === before.serviceTicketTypeId;
  const set = !type && isHeld ? body : mappingFrom(body, knownTicketType('serviceTicketTypeId', type));
  return { ...set, partnerCategoryName: body.partnerCategoryName ?? null };
}
