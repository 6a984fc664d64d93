import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { ApiError } from '../../errors.ts';
import { relyingParty } from '../../security/relying-party.ts';
import { algorithms } from './passkeys.ts';
import type { NewCredential, StoredCredential, UsedCredential } from './schema.ts';

/**
 * Verifies a new passkey: the challenge, the page, the site, and that the authenticator verified the user. Returns its
 * public part. Throws `passkey_rejected`.
 */
export async function verifyNewPasskey(sent: NewCredential, challenge: string): Promise<StoredCredential> {
  const { verified, registrationInfo } = await orRejected(() =>
    verifyRegistrationResponse({
      ...expected(sent, challenge),
      response: { ...sent, clientExtensionResults: {} },
      supportedAlgorithmIDs: algorithms,
    }),
  );
  if (!verified) throw new ApiError('passkey_rejected');
  const { id, publicKey, counter } = registrationInfo.credential;
  const { transports } = sent.response;
  return {
    id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    ...(transports && { transports }),
  };
}

/**
 * Verifies the use of a passkey, in the same way, and its signature. Returns the new count of signatures. Throws
 * `passkey_rejected`, also if the count did not grow: then the authenticator was probably copied (WebAuthn, 6.1.1).
 */
export async function verifyPasskeyUse(
  sent: UsedCredential,
  challenge: string,
  known: StoredCredential,
): Promise<number> {
  const { userHandle: _, ...response } = sent.response;
  const { verified, authenticationInfo } = await orRejected(() =>
    verifyAuthenticationResponse({
      ...expected(sent, challenge),
      response: { ...sent, response, clientExtensionResults: {} },
      credential: {
        id: known.id,
        publicKey: new Uint8Array(Buffer.from(known.publicKey, 'base64url')),
        counter: known.counter,
      },
    }),
  );
  if (!verified) throw new ApiError('passkey_rejected');
  return authenticationInfo.newCounter;
}

function expected({ response: { clientDataJSON } }: NewCredential | UsedCredential, challenge: string) {
  const party = relyingParty();
  return {
    expectedChallenge: challenge,
    expectedOrigin: pageOf(clientDataJSON, party.accepts),
    expectedRPID: party.id,
    requireUserVerification: true,
  };
}

/**
 * Returns the origin of the page, if the site accepts it. A page inside a page of another origin is rejected, which the
 * library (14.0.3) does not do for new passkeys, or if a browser does not name the outer page.
 */
function pageOf(clientDataJSON: string, accepts: (origin: string) => boolean): string {
  const { origin, crossOrigin } = parsed(clientDataJSON);
  if (typeof origin !== 'string' || !accepts(origin) || crossOrigin === true)
    throw new ApiError('passkey_rejected');
  return origin;
}

function parsed(clientDataJSON: string): { origin?: unknown; crossOrigin?: unknown } {
  try {
    return Object(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()));
  } catch {
    return {};
  }
}

/** The library throws a plain Error for everything that does not match. */
async function orRejected<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch {
    throw new ApiError('passkey_rejected');
  }
}
