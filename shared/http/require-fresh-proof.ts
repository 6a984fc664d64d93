import { type Contract, type NeededFor, proofsOf } from '../endpoints/contract.ts';
import { ApiError } from '../errors.ts';
import type { Credential } from '../security/credential.ts';
import { REDACTED } from '../security/merge-fields.ts';
import { type Principal, principalKeyOf } from '../security/principal.ts';
import { isFresh, type ProofSubject, proofMethodOf, subjectDigest } from '../security/proofs.ts';
import { verifyProof } from '../security/tokens.ts';
import { putMarker, type Write } from '../table/operations.ts';
import { usedProofKey } from './keys.ts';
import type { Authorized, PresentedProof, Received } from './steps.ts';

/** The header with a single-use token of POST /auth/step-up. */
const proofHeader = 'x-step-up-token';

/** Reads the single-use token of a request. Undefined without a valid token, and for endpoints that need no proof. */
async function presentedProof(
  { proof }: Contract,
  { headers, now }: Pick<Received, 'headers' | 'now'>,
  credential: Credential,
): Promise<Omit<PresentedProof, 'isUsed'> | undefined> {
  const { [proofHeader]: sent } = headers;
  if (!proof || sent === undefined) return undefined;
  const token = await verifyProof(sent, now);
  if (!token || token.sessionId !== credential.sessionId) return undefined;
  return { token, marker: usedProofKey(credential.home, principalKeyOf(credential), token.id) };
}

/**
 * Checks that the caller has proved its identity as the contract demands. The last proof of the session must be fresh, or the
 * request must contain a single-use token for its record and purpose. The token is used in the transaction of the request, so
 * a request that fails does not use it.
 *
 * Throws `step_up_required`, `factor_required` if the account accepts only second factors, and `permission_denied` for an
 * API key. If the contract only asks for a proof with `ifQuery`, and the query does not contain it, the request continues as
 * with false.
 */
function requireFreshProof(contract: Contract, authorized: Authorized): Authorized {
  let { query } = authorized;
  const used: Write[] = [];
  for (const needed of proofsOf(contract)) {
    const need = needOf(needed, authorized);
    if (need === 'none') continue;
    const found = findProof(needed, authorized);
    if (!(found instanceof ApiError)) used.push(...found);
    else if (need === 'required') throw found;
    else query = { ...(query as object), [needed.ifQuery ?? '']: false };
  }
  return { ...authorized, query, proofWrites: used };
}

/** Whether a request needs the proof. With `optional`, it shows less without the proof. */
function needOf(
  { ifQuery, ifBody }: NeededFor,
  { query, body }: Authorized,
): 'required' | 'optional' | 'none' {
  if (ifBody) return ifBody.some((path) => sets(body, path.split('.'))) ? 'required' : 'none';
  if (ifQuery === undefined) return 'required';
  const asked = (query as Record<string, unknown>)[ifQuery];
  if (asked === undefined) return 'optional';
  return asked ? 'required' : 'none';
}

/** Reports whether a body sets the field at a path. REDACTED keeps the stored value. */
function sets(body: unknown, [name = '', ...inside]: readonly string[]): boolean {
  const value = (Object(body) as Record<string, unknown>)[name];
  if (inside.length > 0 && value !== null) return value !== undefined && sets(value, inside);
  return value !== undefined && value !== REDACTED;
}

/** Returns the writes that use up the proof: none for the proof of a session. Returns the error if there is no proof. */
function findProof({ purpose }: NeededFor, authorized: Authorized): Write[] | ApiError {
  const { principal, accountRecord, presented, idempotency, now } = authorized;
  if (!principal || principal.kind === 'applicant') return [];
  if (principal.kind === 'key') return keyProof(purpose, principal);
  if (accountRecord?.proofNeedsFactor && !principal.factor) return new ApiError('factor_required');
  if (isFresh(principal, now)) return [];
  const subject = subjectOf(authorized);
  const required = new ApiError('step_up_required', {
    stepUp: { purpose, subject, method: proofMethodOf(principal) },
  });
  if (!presented) return required;
  const { token, marker, isUsed } = presented;
  const fits = token.purpose === purpose && token.subject === subjectDigest(subject);
  // The repetition of a request with its Idempotency-Key returns the stored response.
  if (isUsed) return fits && idempotency?.stored ? [] : required;
  return fits ? [{ ...putMarker(marker, token.expiresAt), otherwise: required }] : required;
}

const keyProof = (purpose: string, { permissions }: Pick<Principal, 'permissions'>): Write[] | ApiError =>
  purpose !== 'reveal' || permissions.has('revealSensitive')
    ? []
    : new ApiError('permission_denied', {
        message: 'An API key needs the permission revealSensitive to show sensitive values.',
      });

function subjectOf({ account, params }: Authorized): ProofSubject {
  const id = Object.values((params ?? {}) as object).join('/');
  return { ...(account && { accountId: account }), ...(id !== '' && { id }) };
}

/** The check of fresh proofs. Only bundles of endpoints whose contract has `proof` contain it. */
export const freshProofs = { presented: presentedProof, require: requireFreshProof };
export type FreshProofs = typeof freshProofs;
