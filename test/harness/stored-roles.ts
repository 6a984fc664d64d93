import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { AccountId } from '../../shared/id/account-id.ts';
import type { Role } from '../../shared/people/roles/schema.ts';
import { rolesKey } from '../../shared/people/roles/store.ts';
import { tableName } from '../../shared/table/client.ts';
import { documents } from './documents.ts';

/**
 * Stores roles with these names and without permissions in an account without roles. Uses the old format, in which
 * names have no attribute of their own.
 */
export async function storeRoles(account: AccountId, names: readonly string[]): Promise<Role[]> {
  const at = '2026-01-01T00:00:00.000Z';
  const roles = names.map((name, n) => ({
    id: n + 1,
    accountId: account,
    version: 1,
    createdAt: at,
    updatedAt: at,
    name,
    flatPermissionsList: [],
  }));
  const item = {
    ...rolesKey(account),
    type: 'roles',
    version: names.length,
    roles: Object.fromEntries(roles.map((role) => [role.id, role])),
  };
  await documents.send(new PutCommand({ TableName: tableName(), Item: item }));
  return roles;
}
