import { created, happened, updated } from '../events/emit.ts';
import type { EventDraft } from '../events/envelope.ts';
import { eventFieldsOf } from './event-fields.ts';
import type { StoredMerchant } from './stored-merchant.ts';

declare module '../events/data.ts' {
  interface NounEvents {
    merchant: {
      merchant_created: Changed;
      merchant_updated: Changed;
      merchant_deleted: Nothing;
    };
  }
}

const emitter = { subject: 'merchant' } as const;

/** The event of a new merchant, with every field that it has, by path. */
export const merchantCreated = (merchant: StoredMerchant): EventDraft[] =>
  created(emitter, 'merchant_created', eventFieldsOf(merchant));

/** The event of a changed merchant; none where nothing changed. */
export const merchantUpdated = (before: StoredMerchant, after: StoredMerchant): EventDraft[] =>
  updated(emitter, 'merchant_updated', eventFieldsOf(before), eventFieldsOf(after));

export const merchantDeleted = (merchant: StoredMerchant): EventDraft[] =>
  happened(emitter, 'merchant_deleted', merchant);
