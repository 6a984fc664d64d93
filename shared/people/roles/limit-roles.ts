import type { AccountId } from '../../id/account-id.ts';
import type { Write } from '../../table/operations.ts';
import { rolesKey } from './store.ts';

/** Returns the write that sets the account's permissions in the item of the roles, with or without roles. */
export const limitRoles = (account: AccountId, permissions: readonly string[]): Write => ({
  operation: {
    Update: {
      Key: rolesKey(account),
      UpdateExpression:
        'SET #permissions = :permissions, #roles = if_not_exists(#roles, :none), #type = :type',
      ExpressionAttributeNames: { '#permissions': 'accountPermissions', '#roles': 'roles', '#type': 'type' },
      ExpressionAttributeValues: { ':permissions': permissions, ':none': {}, ':type': 'roles' },
    },
  },
  otherwise: 'conflict',
});
