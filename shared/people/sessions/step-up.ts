import type { Outcome, Request } from '../../endpoints/endpoint.ts';
import { ApiError, invalid } from '../../errors.ts';
import { unnamedChange } from '../../events/unnamed-change.ts';
import {
  credential,
  dateTime,
  enteredSecret,
  object,
  oneOf,
  optional,
  type Static,
  string,
} from '../../schema.ts';
import type { FactorUse, SignedIn } from '../../security/principal.ts';
import { freshMilliseconds, purposes } from '../../security/proofs.ts';
import { requireUser } from '../../security/require-user.ts';
import { signProof, verifyPasskeyChallenge } from '../../security/tokens.ts';
import { codesRejected } from '../factors/codes-rejected.ts';
import { usedChallenge } from '../factors/passkeys.ts';
import { entered, isAppCode } from '../factors/rules.ts';
import { Code, PasskeyChallenge, UsedCredential } from '../factors/schema.ts';
import { takeCode } from '../factors/take-code.ts';
import { takePasskey } from '../factors/take-passkey.ts';
import { logAccountOf } from '../users/rules.ts';
import type { StoredUser } from '../users/schema.ts';
import { users } from '../users/store.ts';
import { renewProof } from './store.ts';
import { throttledPassword } from './throttle-login.ts';

const tokenMilliseconds = 5 * 60_000;

export const StepUpInput = object(
  {
    password: optional(enteredSecret({ maxLength: 1024, examples: ['correct horse battery staple'] })),
    code: optional(Code),
    challenge: optional(PasskeyChallenge),
    credential: optional(UsedCredential),
    purpose: optional(
      oneOf(purposes, {
        description:
          'If present, the response contains a single-use token, and the proof of the session is not renewed.',
      }),
    ),
    subject: optional(
      object(
        {
          accountId: optional(string({ maxLength: 64, examples: ['acme'] })),
          id: optional(string({ maxLength: 1024, examples: ['244650025204944'] })),
        },
        {
          description:
            'The record for which the token is valid, as in the error `step_up_required`: the account of the request, and the values of the path’s parameters, joined with `/`. Requires `purpose`.',
        },
      ),
    ),
  },
  { examples: [{ password: 'correct horse battery staple' }] },
);

export const StepUpResult = object({
  expiresAt: dateTime({ description: 'The end of the proof: of the session’s, or of the token.' }),
  stepUpToken: optional(
    credential({
      maxLength: 2048,
      description: 'Send it once as x-step-up-token, in this session.',
      examples: ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyOjEifQ.c2lnbmF0dXJl'],
    }),
  ),
});

interface StepUpRequest
  extends Pick<Request, 'now' | 'deadline' | 'path' | 'headers' | 'ipAddress' | 'runOnce'> {
  principal: SignedIn;
  body: Static<typeof StepUpInput>;
}

/**
 * Proves the identity of a signed-in user with a passkey or a code, or with the password if the user has no second factor.
 * Renews the proof of the session, or returns a single-use token for a purpose and a record.
 *
 * Throws `password_wrong`, `code_wrong` or `passkey_rejected`, and `too_many_requests` after as many failures as at a login.
 * Both count the same failures.
 */
export async function stepUp(request: StepUpRequest): Promise<Outcome<Static<typeof StepUpResult>>> {
  const { body, now, runOnce } = request;
  if (!body.purpose && Object.keys(body.subject ?? {}).length > 0)
    throw invalid('subject', 'requires a purpose');
  const principal = requireUser(request.principal);
  const user = await users.self(principal);
  const factor = await runOnce(() => proveAgain(user, request));
  const { sessionId = '' } = principal;
  const { purpose, subject = {} } = body;
  const expiresAt = new Date(now.getTime() + (purpose ? tokenMilliseconds : freshMilliseconds));
  const stepUpToken =
    purpose && (await signProof({ userId: user.id, sessionId, purpose, subject, expiresAt }, now));
  const account = logAccountOf(user);
  const detail = {
    ...{ userId: user.id, email: user.email },
    ...(factor && { factor }),
    ...(purpose && { purpose }),
  };
  return {
    response: { expiresAt: expiresAt.toISOString(), ...(stepUpToken && { stepUpToken }) },
    writes: purpose ? [] : renewProof(principal, now),
    events: unnamedChange(account, 'identity_proved', user, detail).map((event) => ({ ...event, account })),
  };
}

/**
 * Checks the factor of a user with a second factor, and the password of another user. Returns the kind of the factor. A session
 * that began with a passkey accepts no code of an app, because a false page can collect such codes.
 */
async function proveAgain(
  user: StoredUser,
  { body, principal, ipAddress, ...request }: StepUpRequest,
): Promise<FactorUse | undefined> {
  const { password, code, challenge = '', credential } = body;
  if (credential) {
    const expiresAt = await verifyPasskeyChallenge(challenge, request.now);
    if (!expiresAt) throw new ApiError('challenge_invalid');
    return takePasskey(user, credential, usedChallenge(challenge, expiresAt), request);
  }
  if (user.secondFactor) {
    if (code === undefined)
      throw invalid('code', 'must be sent, or credential, because you have a second factor');
    if (principal.factor === 'passkey' && isAppCode(entered(code)))
      throw invalid('code', 'must be a recovery code, because your session began with a passkey');
    const limitReached = () => codesRejected(user, { ...request, ipAddress });
    return takeCode(user, code, { ...request, limitReached });
  }
  if (password === undefined) throw invalid('password', 'must be sent, because you have no second factor');
  const attempt = { name: user.email, source: ipAddress };
  if (!(await throttledPassword(password, user.passwordHash, attempt, request.now)))
    throw new ApiError('password_wrong');
  return undefined;
}
