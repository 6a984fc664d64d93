import { type Contract, mayReadChanged, permissionsOf } from '../endpoints/contract.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { ApiError } from '../errors.ts';
import { type AccountId, asAccountId } from '../id/account-id.ts';
import {
  type FirstAuthority,
  findAuthority,
  type LoadedPrincipal,
  loadPrincipal,
} from '../people/sessions/load-principal.ts';
import { namesSelf } from '../people/users/find-member.ts';
import { type Credential, readCredential } from '../security/credential.ts';
import { dataKeysKey } from '../security/keys.ts';
import type { SignedIn } from '../security/principal.ts';
import { authenticateApplicant, isFromApplicant } from './authenticate-applicant.ts';
import { idempotentRequest, rowOf } from './idempotency.ts';
import { countersOf, limitCalls, limitEndedSession, noteLastUse, rejectEndedSession } from './rate-limit.ts';
import type { HttpEvent, MiddyRequest, RequestContext } from './request-context.ts';

/**
 * Authenticates and authorizes a request in one read, in parallel with the endpoint's own reads. Order of the checks:
 * 401, 429, 400 (no account), 403 (other account), 403 (permission), 400 (input).
 */
export const authenticate = ({ contract }: Endpoint) => ({
  async before({ event, context: { requestContext } }: MiddyRequest) {
    if (contract.access === 'public') return admitInput(requestContext);
    if (isFromApplicant(contract, event, requestContext))
      return authenticateApplicant(contract, event, requestContext);
    const credential = await readCredential(requestContext.headers, requestContext.now);
    if (!credential) throw new ApiError('not_authenticated');
    if (contract.sessionOnly && credential.sessionId === undefined)
      throw new ApiError('not_authenticated', { message: 'Send a session token.' });
    rejectEndedSession(requestContext, credential);
    const account =
      contract.access === 'session' ? credential.home : namedAccount(contract, requestContext, credential);
    const row = account && rowOf(contract, requestContext, account, credential);
    if (account && mayReadEarly(credential, account, requestContext, contract.readsMany))
      requestContext.reads.begin({ ...requestContext, account });

    const counters = countersOf(credential, requestContext.now);
    const sensitive = account && contract.sensitive ? [dataKeysKey(account)] : [];
    const reading = await loadPrincipal(credential, account, requestContext.now, [
      ...counters,
      ...sensitive,
      ...(row ? [row] : []),
    ]);
    if (sensitive.length > 0) requestContext.dataKeysRead = { item: reading.alongside[counters.length] };
    requestContext.principal = provenPrincipal(reading, credential, account, requestContext);
    noteLastUse(requestContext, credential, reading.alongside[1]);
    let stored = row && { key: row, item: reading.alongside.at(-1) };
    const isForPrimary = meansPrimary(contract, requestContext, credential);
    const weight = requestContext.inputError ? 1 : (contract.weigh?.(requestContext.query) ?? 1);
    const authority = isForPrimary && reading.accounts()[0] !== account ? undefined : reading.authority();
    const mayRead = mayReadChanged(contract, authority?.principal ?? requestContext.principal);
    const remembered = requestContext.dryRun && mayRead;
    limitCalls(event, requestContext, requestContext.principal, reading.alongside[0], { weight, remembered });
    if (contract.access !== 'session') {
      if (!account)
        throw new ApiError(requestContext.headers['x-account-id'] ? 'account_forbidden' : 'account_required');
      const found = authority
        ? { authority, row: stored }
        : await enterPrimary(contract, requestContext, credential, reading);
      if (!found.authority) throw new ApiError('account_forbidden');
      stored = found.row;
      const { principal, account: accountRecord } = found.authority;
      Object.assign(requestContext, { account: accountRecord.id, principal, accountRecord });
      if (!isAboutSelf(contract, event, requestContext, principal)) authorize(contract, principal);
      if (credential.sessionId !== undefined)
        rememberProof(credential.sessionId, accountRecord.id, requestContext.now);
    }
    admitInput(requestContext);
    if (stored) requestContext.idempotency = idempotentRequest(stored.key, stored.item, requestContext.now);
  },
});

/**
 * Finds the primary account of a user who sent no x-account-id, if it is not the account in which the user is stored.
 * Returns `{}` if the request is not for the primary account.
 */
async function enterPrimary(
  contract: Contract,
  requestContext: RequestContext,
  credential: Credential,
  reading: LoadedPrincipal,
): Promise<FirstAuthority> {
  if (!meansPrimary(contract, requestContext, credential)) return {};
  // Drops the reads that have already started, because they read another account.
  requestContext.reads.drop();
  requestContext.dataKeysRead = undefined;
  const rowIn = (account: AccountId) => rowOf(contract, requestContext, account, credential);
  return findAuthority(reading.accounts(), reading.principal(), rowIn);
}

/**
 * Reports whether the endpoint's own reads may start before authentication ends. This requires valid input and a token
 * with a valid signature. Reads of a list also require that this instance verified the session in the last minute.
 */
function mayReadEarly(
  { sessionId }: Credential,
  account: AccountId,
  requestContext: RequestContext,
  readsMany = false,
): boolean {
  if (sessionId === undefined || requestContext.inputError || requestContext.pathMatchesNoRecord)
    return false;
  return !readsMany || wasProved(sessionId, account, requestContext.now);
}

function provenPrincipal(
  reading: LoadedPrincipal,
  credential: Credential,
  account: AccountId | undefined,
  requestContext: RequestContext,
): SignedIn {
  try {
    return reading.principal();
  } catch (error) {
    if (credential.sessionId === undefined) throw error;
    if (account) forgetProof(credential.sessionId, account);
    limitEndedSession(requestContext, credential);
    throw error;
  }
}

function authorize(contract: Contract, principal: SignedIn): void {
  if (contract.administratorOnly && !principal.administrator) throw new ApiError('administrator_only');
  if (!permissionsOf(contract).every((name) => principal.permissions.has(name)))
    throw new ApiError('permission_denied');
}

/** Reports whether the contract lets users access their own data and the request is about the calling user. */
function isAboutSelf(
  { orSelf }: Contract,
  { rawQueryString }: HttpEvent,
  { params }: RequestContext,
  principal: SignedIn,
): boolean {
  if (!orSelf || principal.kind !== 'user') return false;
  const { email } = params as { email?: unknown };
  const named =
    orSelf === 'path' ? email : (new URLSearchParams(rawQueryString).get('user') ?? principal.actor.user);
  return typeof named === 'string' && namesSelf(principal, named);
}

/** Reports whether the request is for the user's primary account: access `home`, and no x-account-id. */
const meansPrimary = (contract: Contract, requestContext: RequestContext, { kind }: Credential): boolean =>
  kind === 'user' && contract.access === 'home' && requestContext.headers['x-account-id'] === undefined;

/**
 * Returns the account in x-account-id. Without the header, returns the account of an API key, or the account in which a
 * user is stored if the contract's access is `home`. This account is nearly always the primary account.
 */
function namedAccount(
  contract: Contract,
  requestContext: RequestContext,
  credential: Credential,
): AccountId | undefined {
  const header = requestContext.headers['x-account-id'];
  if (header !== undefined) return asAccountId(header);
  return credential.kind === 'key' || meansPrimary(contract, requestContext, credential)
    ? credential.home
    : undefined;
}

function admitInput(requestContext: RequestContext): void {
  if (requestContext.inputError) throw requestContext.inputError;
}

/** For this many milliseconds after a session was verified, lists may be read before authentication ends. */
const trustedMilliseconds = 60_000;
const mostProofs = 10_000;

/** When this instance last verified each session for each account, in milliseconds since 1970. */
const proofs = new Map<string, number>();

const proofName = (sessionId: string, account: AccountId): string => `${sessionId} ${account}`;

function rememberProof(sessionId: string, account: AccountId, now: Date): void {
  if (proofs.size >= mostProofs) proofs.clear();
  proofs.set(proofName(sessionId, account), now.getTime());
}

function forgetProof(sessionId: string, account: AccountId): void {
  proofs.delete(proofName(sessionId, account));
}

/** Reports whether this instance verified the session for the account within the last minute. */
function wasProved(sessionId: string, account: AccountId, now: Date): boolean {
  const at = proofs.get(proofName(sessionId, account));
  return at !== undefined && now.getTime() - at < trustedMilliseconds;
}
