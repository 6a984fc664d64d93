import type { AccountId } from '../id/account-id.ts';
import type { Policy } from '../sla/policy.ts';
import { recordOf } from '../table/item.ts';
import { putIfAbsent, type Write } from '../table/operations.ts';
import { getItem } from '../table/read.ts';
import { slaPolicyKey } from './keys.ts';

/** Policies that are no longer in force, for the tickets that keep them. Nothing changes one, and none goes. */
export const slaPolicies = {
  /** A policy by its number, or undefined where the account has none of it: the present one is in the account itself. */
  async find(account: AccountId, number: number): Promise<Policy | undefined> {
    const item = await getItem(slaPolicyKey(account, number));
    return item && recordOf<Policy>(item);
  },

  insert: (account: AccountId, policy: Policy): Write =>
    putIfAbsent({ ...slaPolicyKey(account, policy.number), type: 'sla-policy', ...policy }),
};
