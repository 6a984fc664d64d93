import { openSession } from '../../shared/people/sessions/store.ts';
import { users } from '../../shared/people/users/store.ts';
import { keyCredential } from '../../shared/security/credential.ts';
import { transact } from '../../shared/table/transact.ts';
import { clock } from './clock.ts';

/**
 * The Authorization headers of a user and of an API key, for tests that do not test the login. Writes the sessions
 * directly, which saves a dozen requests and the login event.
 */
export async function sessionsFor(
  ...holders: ({ email: string } | { apiKey: string; apiSecret: string })[]
): Promise<string[]> {
  const sessions = await Promise.all(
    holders.map(async (holder) => openSession(await found(holder), clock.now())),
  );
  await transact(
    sessions.flatMap(({ writes }) => writes),
    Date.now() + 10_000,
  );
  return sessions.map(({ token }) => `Bearer ${token}`);
}

async function found(holder: { email: string } | { apiKey: string; apiSecret: string }) {
  if ('apiKey' in holder) {
    const key = keyCredential(holder.apiKey, holder.apiSecret);
    if (!key) throw new Error('This is not the id and secret of an API key.');
    // A new key has no ended sessions.
    return { kind: 'key' as const, id: key.id, home: key.home, epoch: 0 };
  }
  const address = await users.addressByEmailAcrossAccounts(holder.email);
  if (!address) throw new Error(`No user has the email ${holder.email}.`);
  const { id, home, sessionEpoch: epoch } = await users.self(address);
  return { kind: 'user' as const, id, home, epoch };
}
