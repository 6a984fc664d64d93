import { ApiError } from '../../errors.ts';
import { asRecordId } from '../../id/mint.ts';
import type { Static } from '../../schema.ts';
import { digestOf } from '../../security/keys.ts';
import type { RelyingParty } from '../../security/relying-party.ts';
import type { StoredUser } from '../users/schema.ts';
import { challengeMilliseconds, confirmedFactors, replaceFactor } from './rules.ts';
import type {
  CreationOptions,
  PasskeyRequest,
  StoredCredential,
  StoredFactors,
  StoredPasskey,
  UsedChallenge,
} from './schema.ts';

/**
 * EdDSA, ES256 and RS256 (COSE algorithms), the best first. Node 20 and 22 cannot verify newer algorithms, which
 * @simplewebauthn/server 14.0.3 offers by default on Node 24.
 */
export const algorithms = [-8, -7, -257];

/** The user handle of a person's passkeys. It names nobody, and stays the same if the person moves to another account. */
export const handleOf = ({ id }: Pick<StoredUser, 'id'>): string =>
  Buffer.from(String(id)).toString('base64url');

/** Returns the id of the person in a user handle. Undefined for another text. */
export const personIn = (handle: string): number | undefined =>
  asRecordId(Buffer.from(handle, 'base64url').toString());

/** Returns the options with which a browser creates a passkey. The passkey verifies the user and is found without a name. */
export const creationOptions = (
  party: RelyingParty,
  user: Pick<StoredUser, 'id' | 'email' | 'name'>,
  stored: StoredFactors,
  challenge: string,
): CreationOptions => ({
  rp: { id: party.id, name: 'merchant-ops' },
  user: { id: handleOf(user), name: user.email, displayName: user.name ?? user.email },
  challenge,
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
  timeout: challengeMilliseconds,
  excludeCredentials: confirmedPasskeys(stored).map(({ credential: { id, transports } }) => ({
    id,
    type: 'public-key' as const,
    ...(transports && { transports }),
  })),
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
  // Attestation would name the model of the authenticator, and we accept every model.
  attestation: 'none',
});

/** Returns the options with which a browser uses a passkey. They name no passkeys, so they reveal none. */
export const requestOptions = (
  party: RelyingParty,
  challenge: string,
): Static<typeof PasskeyRequest>['publicKey'] => ({
  rpId: party.id,
  challenge,
  timeout: challengeMilliseconds,
  userVerification: 'required',
});

interface ConfirmedPasskey extends StoredPasskey {
  credential: StoredCredential;
}

/** The passkeys that can prove a login. */
export const confirmedPasskeys = (stored: StoredFactors): ConfirmedPasskey[] =>
  confirmedFactors(stored).flatMap((factor) =>
    factor.type === 'passkey' && factor.credential ? [{ ...factor, credential: factor.credential }] : [],
  );

/** Returns the confirmed passkey with this credential id. */
export const whoseId = (stored: StoredFactors, credentialId: string): ConfirmedPasskey | undefined =>
  confirmedPasskeys(stored).find(({ credential }) => credential.id === credentialId);

/** Returns the challenge of a token, which is the hash of the token: a passkey signs only short challenges. */
export const usedChallenge = (token: string, expiresAt: Date): UsedChallenge => ({
  challenge: digestOf(token),
  expiresAt: expiresAt.toISOString(),
});

/** After its expiry, a used challenge is kept for this many milliseconds, because the clocks of instances differ. */
const clockDifference = 60_000;

/** Returns the factors after a verified use of a passkey. Throws `passkey_rejected` if its challenge was used before. */
export function usePasskey(
  stored: StoredFactors,
  passkey: ConfirmedPasskey,
  counter: number,
  used: UsedChallenge,
  now: Date,
): StoredFactors {
  const kept = (stored.usedChallenges ?? []).filter(
    ({ expiresAt }) => Date.parse(expiresAt) + clockDifference > now.getTime(),
  );
  if (kept.some(({ challenge }) => challenge === used.challenge)) throw new ApiError('passkey_rejected');
  const after = {
    ...passkey,
    lastUsedAt: now.toISOString(),
    credential: { ...passkey.credential, counter },
  };
  return { ...replaceFactor(stored, after), usedChallenges: [...kept, used] };
}

/** Confirms a passkey with its public part. Throws `passkey_rejected` if the person has the passkey already. */
export function confirmedPasskey(
  stored: StoredFactors,
  { challenge: _, ...passkey }: StoredPasskey,
  credential: StoredCredential,
): StoredPasskey {
  if (whoseId(stored, credential.id)) throw new ApiError('passkey_rejected');
  return { ...passkey, credential };
}
