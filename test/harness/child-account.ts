import createAccountType from '../../functions/account-types/create-account-type.ts';
import createChildAccount from '../../functions/accounts/create-child-account.ts';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import type { AccountLimits } from '../../shared/accounts/schema.ts';
import type { AccountType } from '../../shared/child-accounts/schema.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { allPermissions } from '../../shared/resources/derived.ts';
import { sessionsFor } from './sessions-for.ts';
import { client, type Tenant } from './tenant.ts';

let children = 0;

/** A child account with its type. The type and the sessions of the child were created by requests. */
export interface ChildTenant extends Tenant {
  type: AccountType;
}

/** Creates an account type, with all permissions by default. */
export const accountType = (
  parent: Pick<Tenant, 'admin'>,
  { permissions = [...allPermissions], limits }: { permissions?: string[]; limits?: AccountLimits } = {},
) => parent.admin.ok(createAccountType, { body: { name: 'Agent', permissions, limits } });

/** Creates a child account with a type of its own, its administrator's session and a key with all its permissions. */
export async function childAccount(
  parent: Pick<Tenant, 'admin'>,
  settings: { permissions?: string[]; limits?: AccountLimits } = {},
): Promise<ChildTenant> {
  children += 1;
  const type = await accountType(parent, settings);
  const adminEmail = `admin${children}@child-account.test`;
  const { id } = await parent.admin.ok(createChildAccount, {
    body: { name: `Child ${children}`, accountTypeId: type.id, adminEmail },
  });
  const accountId = id as AccountId;
  const account = { 'x-account-id': accountId };
  const [ofAdmin = ''] = await sessionsFor({ email: adminEmail });
  const admin = client({ ...account, authorization: ofAdmin });
  const { apiKey, apiSecret } = await admin.ok(createApiKey, {
    body: { description: 'First key', flatPermissionsList: type.permissions },
  });
  const [ofKey = ''] = await sessionsFor({ apiKey, apiSecret });
  return {
    accountId,
    adminEmail,
    adminPassword: '',
    apiKey,
    apiSecret,
    type,
    admin,
    key: client({ ...account, authorization: ofKey }),
    directKey: client({ ...account, 'x-api-key': apiKey, 'x-api-secret': apiSecret }),
  };
}
