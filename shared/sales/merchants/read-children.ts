import { merchantDocuments, showMerchantDocument } from '../../documents/store.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { Principal } from '../../security/principal.ts';
import { equipment } from '../equipment/store.ts';
import { notes } from '../notes/store.ts';
import type { MerchantChildren } from './schema.ts';
import { merchants } from './store.ts';
import type { StoredMerchant } from './stored-merchant.ts';

/** So many of each kind are shown with their merchant. */
const shown = 100;

/** What a merchant has that nobody has added anything to. */
export const noChildren: MerchantChildren = {
  equipment: [],
  notes: [],
  documents: [],
  totals: { equipment: 0, notes: 0, documents: 0 },
};

/** The newest hundred of each kind that is kept beside a merchant, and how many there are: read side by side. */
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

/** A merchant as its GET shows it to the caller without sensitive values: with its children only if the caller may read them. */
export const merchantAsRead = async (merchant: StoredMerchant, { permissions }: Principal) => ({
  ...merchants.show(merchant),
  ...(permissions.has('readMerchants') && (await readChildren(merchant.accountId, merchant.id))),
});
