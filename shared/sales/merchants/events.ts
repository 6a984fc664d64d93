import { created, updated } from '../../events/emit.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { eventFieldsOf, namedMerchant } from './event-fields.ts';
import type { StoredMerchant } from './stored-merchant.ts';

/** The event of a new merchant, with every field that it has, by path. */
export const merchantCreated = (merchant: StoredMerchant): EventDraft[] =>
  created(namedMerchant, 'merchant_created', eventFieldsOf(merchant));

/** The event of a changed merchant; none where nothing changed. */
export const merchantUpdated = (before: StoredMerchant, after: StoredMerchant): EventDraft[] =>
  updated(namedMerchant, 'merchant_updated', eventFieldsOf(before), eventFieldsOf(after));
