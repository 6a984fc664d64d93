import { invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { apiKeys } from '../../people/apikeys/store.ts';

/** Returns the API key to which a webhook is limited. Throws `invalid_input` if the account has no such key. */
export async function requireApiKey(account: AccountId, id: number): Promise<{ id: number }> {
  const key = await apiKeys.find(account, id);
  if (!key) throw invalid('externalKeyId', 'is not an API key of this account');
  return key;
}
