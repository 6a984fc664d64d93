import type { StoredAccount } from '../accounts/schema.ts';
import { allPermissions } from '../resources/derived.ts';
import type { ChildAccount } from './schema.ts';

/** Returns a child account as its parent sees it: without the settings of the account. */
export const showChild = ({
  id,
  name,
  accountTypeId,
  permissions = [...allPermissions],
  limits,
  version,
  createdAt,
  closedAt,
}: StoredAccount): ChildAccount => ({
  id,
  name,
  ...(accountTypeId !== undefined && { accountTypeId }),
  status: closedAt ? 'closed' : 'active',
  permissions,
  ...(limits && { limits }),
  version,
  createdAt,
});
