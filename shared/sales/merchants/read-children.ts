import { merchantDocuments, showMerchantDocument } from '../../documents/store.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { Principal } from '../../security/principal.ts';
import { mayReach } from '../../security/reach.ts';
import { equipment } from '../equipment/store.ts';
import { notes } from '../notes/store.ts';
import type { MerchantChildren } from './schema.ts';
import { merchants } from './store.ts';
import type { StoredMerchant } from './stored-merchant.ts';

/** The largest number of children of each kind in a response. */
const shown = 100;

/** The children of a new merchant. */
export const noChildren: MerchantChildren = {
  equipment: [],
  notes: [],
  documents: [],
  totals: { equipment: 0, notes: 0, documents: 0 },
};

/** Reads the newest 100 children of each kind, and their total numbers, in parallel. */
export async function readChildren(account: AccountId, id: number): Promise<MerchantChildren> {
  const [pieces, texts, files, totals] = await Promise.all([
    equipment.newest(account, id, shown),
    notes.newest(account, id, shown),
    merchantDocuments.newest(account, id, shown),
    notes.totals(account, id),
  ]);
  return {
    equipment: pieces.map(equipment.show),
    notes: texts.map(notes.show),
    documents: files.map(showMerchantDocument),
    totals: {
      equipment: equipment.totalOf(totals),
      notes: notes.totalOf(totals),
      documents: merchantDocuments.totalOf(totals),
    },
  };
}

/** Returns the response of GET without sensitive values, and without children if the caller may not read the merchant. */
export const merchantAsRead = async (merchant: StoredMerchant, principal: Principal) => ({
  ...merchants.show(merchant),
  ...(mayReach(principal, 'merchant', 'read', merchant) &&
    (await readChildren(merchant.accountId, merchant.id))),
});
