import type { Request } from '../../endpoints/endpoint.ts';
import { ApiError, invalid } from '../../errors.ts';
import { verifyChallenge, verifyPasskeyChallenge } from '../../security/tokens.ts';
import { codesRejected } from '../factors/codes-rejected.ts';
import { personIn, usedChallenge } from '../factors/passkeys.ts';
import type { FactorUseInput } from '../factors/schema.ts';
import { takeCode } from '../factors/take-code.ts';
import { takePasskey } from '../factors/take-passkey.ts';
import { users } from '../users/store.ts';
import { holderOf, type LoginProof, type VerifiedHolder } from './log-in.ts';

interface ProofRequest extends Pick<Request, 'now' | 'deadline' | 'path' | 'headers' | 'ipAddress'> {
  body: FactorUseInput;
}

/** A person who has proved a factor. */
interface ProvedHolder {
  holder: VerifiedHolder;
  proof: LoginProof;
}

/**
 * Verifies the challenge of a login and the proof of a factor: a code or the use of a passkey. The passkey has signed the hash
 * of the challenge, so it cannot be used for another challenge. Throws `challenge_invalid`, `code_wrong`,
 * `passkey_rejected`, or `too_many_requests` after many wrong codes.
 */
export async function verifyFactor({ body, ...request }: ProofRequest): Promise<ProvedHolder> {
  const { challenge: token, code, credential } = body;
  if ((code === undefined) === (credential === undefined))
    throw invalid('code', 'send either code or credential');
  const challenge = await verifyChallenge(token, request.now);
  if (!challenge) return verifyPasskeyLogin(body, request);
  const user = await users.find(challenge);
  if (!user || user.sessionEpoch !== challenge.epoch) throw new ApiError('challenge_invalid');
  const factor = credential
    ? await takePasskey(user, credential, usedChallenge(token, challenge.expiresAt), request)
    : await takeCode(user, code ?? '', { ...request, limitReached: () => codesRejected(user, request) });
  return { holder: holderOf(user), proof: { factor, method: 'password' } };
}

/**
 * Verifies a login with a passkey alone. The passkey has verified the user, so it is two factors. Throws the same error for an
 * unknown user, an unknown passkey and a wrong signature.
 */
async function verifyPasskeyLogin(
  { challenge, credential }: FactorUseInput,
  request: Pick<ProofRequest, 'now' | 'deadline'>,
): Promise<ProvedHolder> {
  const expiresAt = await verifyPasskeyChallenge(challenge, request.now);
  if (!expiresAt || !credential) throw new ApiError('challenge_invalid');
  const id = personIn(credential.response.userHandle ?? '');
  const user = id === undefined ? undefined : await users.findByPasskeyAcrossAccounts(id);
  if (!user) throw new ApiError('passkey_rejected');
  const factor = await takePasskey(user, credential, usedChallenge(challenge, expiresAt), request);
  return { holder: holderOf(user), proof: { factor, method: 'passkey' } };
}
