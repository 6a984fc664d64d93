import { accountKey } from '../../shared/accounts/keys.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { addDataKey, type StoredDataKeys } from '../../shared/security/data-keys.ts';
import { dataKeysKey } from '../../shared/security/keys.ts';
import { recordOf } from '../../shared/table/item.ts';
import { getItem } from '../../shared/table/read.ts';
import { transact, VersionConflict } from '../../shared/table/transact.ts';

/**
 * Adds a data key to an account and returns its kid. Requests seal with it from the next one on; what older keys
 * sealed still opens. Throws an Error with a sentence where there is nothing to rotate.
 */
export async function rotateDataKey(account: AccountId): Promise<string> {
  if (!(await getItem(accountKey(account)))) throw new Error(`There is no account ${account} in this table.`);
  for (;;) {
    const item = await getItem(dataKeysKey(account));
    if (!item)
      throw new Error(
        `The account ${account} has no data key yet: it gets its first one with its first sensitive value.`,
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
