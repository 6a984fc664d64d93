import type { AccountId } from '../../id/account-id.ts';
import { asUniqueRecordId, uniqueIdOf } from '../../id/unique-id.ts';
import { knownTicketType, requireTicketType } from '../ticket-types/require-ticket-type.ts';
import type { StoredTicketType } from '../ticket-types/schema.ts';
import { ticketTypes } from '../ticket-types/store.ts';
import type { StoredMapping, TicketTypeMapping, TicketTypeMappingInput } from './schema.ts';
import { mappings } from './store.ts';

/** A mapping as it is shown: with its ticket type, null where that was deleted. */
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

/** Mappings as they are shown. Each type is read once. */
export async function showMappings(
  account: AccountId,
  stored: readonly StoredMapping[],
): Promise<TicketTypeMapping[]> {
  const ids = stored.map(({ serviceTicketTypeId }) => asUniqueRecordId('tty', serviceTicketTypeId));
  const named = [...new Set(ids)].filter((id) => id !== undefined);
  const types = new Map((await ticketTypes.findMany(account, named)).map((type) => [type.id, type]));
  return stored.map((mapping, index) => showMapping(mapping, types.get(ids[index] ?? 0)));
}

/** A mapping as GET shows it. */
export const readShown = async (mapping: StoredMapping): Promise<TicketTypeMapping> =>
  showMapping(mapping, await ticketTypes.findByReference(mapping.accountId, mapping.serviceTicketTypeId));

/** A mapping as it is stored and as it is shown. Throws `not_found`. */
export async function readMapping(account: AccountId, id: number) {
  const mapping = await mappings.get(account, id);
  return { mapping, shown: await readShown(mapping) };
}

/** The type that a body names. Throws `ticket_type_unknown` where the account has none such. */
export const mappedType = (account: AccountId, body: TicketTypeMappingInput): Promise<StoredTicketType> =>
  requireTicketType(account, 'serviceTicketTypeId', body.serviceTicketTypeId);

/** What a body sets of a mapping, whole: the category of its type where it names none. */
export const mappingFrom = (body: TicketTypeMappingInput, type: StoredTicketType) => ({
  partnerCategoryId: body.partnerCategoryId,
  partnerCategoryName: body.partnerCategoryName ?? undefined,
  serviceTicketTypeId: uniqueIdOf('tty', type.id),
  serviceCategoryEnum: body.serviceCategoryEnum ?? type.category,
});

/**
 * What a PUT changes of a mapping: what it leaves out is gone. Throws `ticket_type_unknown` where the body names another type
 * that does not exist. A mapping may keep its own type, even if that was deleted.
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
