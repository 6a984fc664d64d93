import { openSession } from '../../shared/people/sessions/store.ts';
import { users } from '../../shared/people/users/store.ts';
import { keyCredential } from '../../shared/security/credential.ts';
import { transact } from '../../shared/table/transact.ts';
import { clock } from './clock.ts';

/**
 * Returns the Authorization header of a new session for each user or API key. Writes the sessions directly, which saves
 * a dozen requests and the login event.
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
    // The epoch of a key is 0 until all its sessions are ended for the first time.
    return { kind: 'key' as const, id: key.id, home: key.home, epoch: 0 };
  }
  const address = await users.addressByEmailAcrossAccounts(holder.email);
  if (!address) throw new Error(`No user has the email ${holder.email}.`);
  const { id, home, sessionEpoch: epoch } = await users.self(address);
  return { kind: 'user' as const, id, home, epoch };
}
