import { randomBytes } from 'node:crypto';
import { mintId } from '../../id/mint.ts';
import type { Static } from '../../schema.ts';
import { relyingParty } from '../../security/relying-party.ts';
import type { StoredUser } from '../users/schema.ts';
import { creationOptions } from './passkeys.ts';
import type { FactorInput, NewFactor, StoredFactor, StoredFactors } from './schema.ts';
import { newTotpSecret } from './totp.ts';

interface Owner {
  user: StoredUser;
  stored: StoredFactors;
  now: Date;
}

/**
 * Returns a new factor, which is not confirmed, and the fields of the response with which the person sets it up: the secret
 * of an authenticator app, or the options for a passkey. Throws `passkeys_unavailable`.
 */
export async function newFactor(
  { type, name }: FactorInput,
  { user, stored, now }: Owner,
): Promise<{ factor: StoredFactor; shown: Omit<Static<typeof NewFactor>, 'factor'> }> {
  const made = { id: mintId(now), name, createdAt: now.toISOString() };
  if (type === 'passkey') {
    const challenge = randomBytes(32).toString('base64url');
    return {
      factor: { ...made, type, challenge },
      shown: { publicKey: creationOptions(relyingParty(), user, stored, challenge) },
    };
  }
  const { secret, uri, stored: encrypted } = await newTotpSecret(made.id, user.email);
  return { factor: { ...made, type, ...encrypted }, shown: { secret, uri } };
}
