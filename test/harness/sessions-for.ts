import { openSession } from '../../shared/people/sessions/store.ts';
import { users } from '../../shared/people/users/store.ts';
import { keyCredential } from '../../shared/security/credential.ts';
import { transact } from '../../shared/table/transact.ts';
import { clock } from './clock.ts';

/**
 * The Authorization headers of a user and of a key that signed in, for tests that are not about signing in: each session is
 * written as a login writes it, without the dozen requests of a login and without its event.
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
    if (!key) throw new Error('This is no API key.');
    // A key that was just made has ended no sessions.
    return { kind: 'key' as const, id: key.id, home: key.home, epoch: 0 };
  }
  const address = await users.addressByEmailAcrossAccounts(holder.email);
  if (!address) throw new Error(`Nobody has the email ${holder.email}.`);
  const { id, home, sessionEpoch: epoch } = await users.self(address);
  return { kind: 'user' as const, id, home, epoch };
}
