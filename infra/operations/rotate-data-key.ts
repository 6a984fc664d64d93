import type { AccountId } from '../../shared/id/account-id.ts';
import { addDataKey, type StoredDataKeys } from '../../shared/security/data-keys.ts';
import { dataKeysKey } from '../../shared/security/keys.ts';
import { recordOf } from '../../shared/table/item.ts';
import { getItem } from '../../shared/table/read.ts';
import { transact, VersionConflict } from '../../shared/table/transact.ts';
import { requireAccount } from './require-account.ts';

/**
 * Adds a data key to an account and returns the id of the key (`kid`). Later requests encrypt with the new key. Older
 * keys can still decrypt. Throws if the account does not exist or has no data key yet.
 */
export async function rotateDataKey(account: AccountId): Promise<string> {
  await requireAccount(account);
  for (;;) {
    const item = await getItem(dataKeysKey(account));
    if (!item)
      throw new Error(
        `Account ${account} has no data key yet. The first key is created with the first sensitive value.`,
      );
    const { kid, write } = await addDataKey(account, recordOf<StoredDataKeys>(item));
    try {
      await transact([write], Date.now() + 10_000);
      return kid;
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
    }
  }
}
