import type { AccountId } from '../../id/account-id.ts';
import type { ListSource } from '../../table/list-source.ts';
import type { Seal } from './schema.ts';
import { type StoredSeal, sealHashOf } from './seal.ts';
import { newestSeals, readSealHead } from './store.ts';

export const showSeal = (seal: StoredSeal): Seal => ({ ...seal, hash: sealHashOf(seal) });

/** The list of an account's seals. Seals are numbered without gaps, so the number of the newest seal is the total. */
export const sealsOf = (account: AccountId): ListSource<Seal> => ({
  async newest(bounds) {
    const found = await newestSeals(account, bounds);
    return { ...found, items: found.items.map(showSeal) };
  },
  total: async () => (await readSealHead(account))?.version ?? 0,
  show: async (page) => page,
});
