import { mintAccountId, newAccount } from '../../shared/accounts/new-account.ts';
import { accounts } from '../../shared/accounts/store.ts';
import { created } from '../../shared/events/emit.ts';
import { eventOf } from '../../shared/events/event-of.ts';
import { commit } from '../../shared/events/outbox.ts';
import { normalizeEmail } from '../../shared/formats.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { newApiKey } from '../../shared/people/apikeys/rules.ts';
import { apiKeys } from '../../shared/people/apikeys/store.ts';
import { memberForEvents, newMembership, newUser } from '../../shared/people/users/make-user.ts';
import { memberships, users } from '../../shared/people/users/store.ts';
import { allPermissions } from '../../shared/resources/derived.ts';
import { hashPassword } from '../../shared/security/passwords.ts';
import { authoredBy } from '../../shared/table/revise.ts';

interface NewAccount {
  name: string;
  adminEmail: string;
  adminPassword: string;
}

/** Credentials of the first administrator. The service stores only hashes of the password and the secret. */
export interface FirstCredentials {
  accountId: AccountId;
  adminEmail: string;
  adminPassword: string;
  apiKey: string;
  apiSecret: string;
}

/**
 * Creates an account, its administrator and an API key with all permissions, in one transaction. Throws
 * `email_exists` if another user has this email.
 */
export async function createAccount({
  name,
  adminEmail,
  adminPassword,
}: NewAccount): Promise<FirstCredentials> {
  const now = new Date();
  const email = normalizeEmail(adminEmail);
  const account = mintAccountId();
  const origin = { account, ...authoredBy(email, now) };
  const record = newAccount(account, name, origin);
  const passwordHash = await hashPassword(adminPassword);
  const user = { ...newUser(email, origin), passwordHash };
  const membership = newMembership(user, { accountAdmin: true }, origin);
  const flatPermissionsList = [...allPermissions].sort();
  const { key, secret } = newApiKey({ description: 'First key', flatPermissionsList }, origin);

  const context = {
    account,
    now,
    actor: { user: email, apiKey: null },
    request: { method: 'RUN', path: 'accounts create', headers: {}, ipAddress: '' },
  };
  const drafts = [
    ...created(accounts, 'account_created', record),
    ...created(users, 'user_created', memberForEvents(membership)),
    ...created(apiKeys, 'api_key_created', apiKeys.forEvents(key)),
  ];
  await commit({
    writes: [
      ...accounts.insert(record),
      ...users.insert(user),
      ...memberships.insert(membership),
      ...apiKeys.insert(key),
    ],
    events: drafts.map((draft) => eventOf(draft, context)),
    deadline: Date.now() + 10_000,
  });
  return { accountId: account, adminEmail: email, adminPassword, apiKey: key.apiKey, apiSecret: secret };
}
