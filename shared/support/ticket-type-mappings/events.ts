import type { EventDraft } from '../../events/envelope.ts';
import { unnamedChange } from '../../events/unnamed-change.ts';
import type { Happening } from '../../resources/registry.ts';
import type { StoredMapping } from './schema.ts';

/** Returns the event of a change of a mapping. */
export function mappingChanged(
  happening: Extract<Happening, `ticket_type_mapping_${string}`>,
  mapping: StoredMapping,
): EventDraft[] {
  const { partnerCategoryId, partnerCategoryName, serviceTicketTypeId } = mapping;
  const detail = { partnerCategoryId, partnerCategoryName, serviceTicketTypeId };
  return unnamedChange(mapping.accountId, happening, mapping, detail);
}
