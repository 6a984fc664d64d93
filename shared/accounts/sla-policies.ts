import type { AccountId } from '../id/account-id.ts';
import type { Policy } from '../sla/policy.ts';
import { recordOf } from '../table/item.ts';
import { putIfAbsent, type Write } from '../table/operations.ts';
import { getItem } from '../table/read.ts';
import { slaPolicyKey } from './keys.ts';

/** Former SLA policies. They still apply to the tickets created under them, so they are never changed or deleted. */
export const slaPolicies = {
  /** Returns a former policy, or undefined. The current policy is stored in the account itself. */
  async find(account: AccountId, number: number): Promise<Policy | undefined> {
    const item = await getItem(slaPolicyKey(account, number));
    return item && recordOf<Policy>(item);
  },

  insert: (account: AccountId, policy: Policy): Write =>
    putIfAbsent({ ...slaPolicyKey(account, policy.number), type: 'sla-policy', ...policy }),
};
