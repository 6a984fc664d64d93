import { requireOpen } from '../accounts/close-account.ts';
import { requireFactor } from '../accounts/require-factor.ts';
import {
  accountPermissionOf,
  type Contract,
  grants,
  mayReadChanged,
  permissionsOf,
  reachesAll,
} from '../endpoints/contract.ts';
import { requireAllowedImpersonation } from '../endpoints/impersonation-rule.ts';
import { reachRequirement } from '../endpoints/reached.ts';
import { ApiError } from '../errors.ts';
import { type AccountId, asAccountId } from '../id/account-id.ts';
import { findAuthority, type LoadedPrincipal, loadPrincipal } from '../people/sessions/load-principal.ts';
import { namesSelf } from '../people/users/is-self.ts';
import type { Permission } from '../resources/registry.ts';
import { type Credential, readCredential } from '../security/credential.ts';
import { dataKeysKey } from '../security/keys.ts';
import type { Principal, SignedIn } from '../security/principal.ts';
import { authorizeApplicant, isFromApplicant } from './authorize-applicant.ts';
import { bytesOfBody } from './body.ts';
import { idempotentRequest, rowOf } from './idempotency.ts';
import {
  countersOf,
  limitAccountCalls,
  limitCalls,
  limitEndedSession,
  noteLastUse,
  rejectEndedSession,
} from './rate-limit.ts';
import type { Authorized, Validated } from './steps.ts';
import { valid } from './validate-request.ts';

/** Authenticates the sender of a signed body before it receives an error about the input. */
async function requireSender({ signedBody }: Contract, validated: Validated): Promise<void> {
  const { input, params, event, headers, now, deadline } = validated;
  if (!signedBody || !(input instanceof ApiError)) return;
  const { accountId: account = '' } = params as { accountId?: string };
  await signedBody({ account, headers, rawBody: () => bytesOfBody(event), now, deadline });
}

/**
 * Authenticates and authorizes a request in one read, in parallel with the endpoint's own reads. Order of the checks:
 * 401, 429, 400 (no account), 403 (other account), 403 (second factor), 403 (closed account), 403 (permission), 400 (input).
 */
export async function authorizeRequest(contract: Contract, validated: Validated): Promise<Authorized> {
  const { caller, known, failed } = unknownCaller();
  try {
    const authorized = await authorize(contract, validated, caller);
    if (authorized.principal) known(authorized.principal);
    return authorized;
  } catch (error) {
    failed(error);
    throw error;
  }
}

/** The caller of a request, for reads that start before it is known. */
function unknownCaller() {
  let known: (principal: Principal) => void = () => undefined;
  let failed: (error: unknown) => void = () => undefined;
  const caller = new Promise<Principal>((resolve, reject) => {
    [known, failed] = [resolve, reject];
  });
  // The request itself throws the error.
  caller.catch(() => undefined);
  return { caller, known, failed };
}

async function authorize(
  contract: Contract,
  validated: Validated,
  caller: Promise<Principal>,
): Promise<Authorized> {
  if (contract.access === 'public') {
    await requireSender(contract, validated);
    return { ...validated, ...valid(validated.input) };
  }
  if (isFromApplicant(contract, validated)) return authorizeApplicant(contract, validated);
  const { headers, now, progress } = validated;
  const credential = await credentialOf(contract, validated);
  rejectEndedSession(validated, credential);
  const isForPrimary = meansPrimary(contract, validated, credential);
  const account = accountOf(contract, validated, credential, isForPrimary);
  const rowIn = (inAccount: AccountId) => rowOf(contract, validated, inAccount, credential);
  const row = account && rowIn(account);
  const loading = account && readEarly(contract, validated, credential, account, caller);

  const reading = await loadPrincipal(credential, account, now, {
    ...countersOf(credential, now),
    dataKeys: account && contract.sensitive && dataKeysKey(account),
    row,
  });
  const { counter, lastUse, dataKeys, row: stored } = reading.alongside;
  const principal = provenPrincipal(reading, credential, account, validated);
  progress.caller = { principal };
  noteLastUse(validated, credential, lastUse);
  const authority = isForPrimary && reading.accounts()[0] !== account ? undefined : reading.authority();
  limitCalls(validated, principal, counter, {
    weight: validated.input instanceof ApiError ? 1 : contract.weigh?.(validated.input.query),
    remembered: validated.dryRun && mayReadChanged(contract, authority?.principal ?? principal),
  });
  requireImpersonatedAccount(validated, credential);
  if (contract.access === 'session' && !contract.ofNamedAccount) {
    requireAllowedImpersonation(contract, principal);
    const idempotency = idempotentRequest(row, stored, now);
    return { ...validated, ...valid(validated.input), principal, loading, idempotency };
  }

  if (!account) throw new ApiError(headers['x-account-id'] ? 'account_forbidden' : 'account_required');
  const first = authority
    ? { authority, row: row && { key: row, item: stored } }
    : isForPrimary && (await findAuthority(reading.accounts(), principal, rowIn));
  if (!first) throw new ApiError('account_forbidden');
  const { principal: member, account: accountRecord } = first.authority;
  requireFactor(accountRecord, member, now);
  if (contract.access === 'session') {
    requireAllowedImpersonation(contract, member);
    const idempotency = idempotentRequest(first.row?.key, first.row?.item, now);
    return { ...validated, ...valid(validated.input), principal: member, loading, idempotency };
  }
  const accepted = { account: accountRecord.id, principal: member, accountRecord };
  progress.caller = accepted;
  if (!contract.servesClosed) requireOpen(accountRecord);
  requireAllowedImpersonation(contract, member);
  limitAccountCalls(validated, accountRecord, member);
  if (!isAboutSelf(contract, validated, member)) requirePermissions(contract, member);
  if (credential.sessionId !== undefined && reachesAll(contract, member))
    rememberProof(credential.sessionId, accountRecord.id, now);
  return {
    ...validated,
    ...valid(validated.input),
    ...accepted,
    // If the primary account is not the account in which the user is stored, these reads are of the wrong account.
    ...(authority && { loading, dataKeysRead: { item: dataKeys } }),
    idempotency: idempotentRequest(first.row?.key, first.row?.item, now),
  };
}

async function credentialOf({ sessionOnly }: Contract, { headers, now }: Validated): Promise<Credential> {
  const credential = await readCredential(headers, now);
  if (!credential) throw new ApiError('not_authenticated');
  if (sessionOnly && credential.sessionId === undefined)
    throw new ApiError('not_authenticated', { message: 'Send a session token.' });
  return credential;
}

/**
 * Starts the endpoint's own reads before authentication ends. This requires valid input and a token with a valid
 * signature. Reads of a list also require that this instance verified in the last minute that the session reaches all records.
 */
function readEarly(
  contract: Contract,
  { input, params, now, deadline, read }: Validated,
  { sessionId }: Credential,
  account: AccountId,
  caller: Promise<Principal>,
): Promise<unknown> | undefined {
  if (sessionId === undefined || input instanceof ApiError) return undefined;
  if (contract.readsMany && !wasProved(sessionId, account, now)) return undefined;
  const requireReach = reachRequirement(contract, caller);
  const loading = read({ ...input, params, now, deadline, account, requireReach });
  // `decide` throws the error after authorization. Before that, the error would reveal which records exist.
  loading.catch(() => undefined);
  return loading;
}

function provenPrincipal(
  reading: LoadedPrincipal,
  credential: Credential,
  account: AccountId | undefined,
  validated: Validated,
): SignedIn {
  try {
    return reading.principal();
  } catch (error) {
    if (credential.sessionId === undefined) throw error;
    if (account) forgetProof(credential.sessionId, account);
    limitEndedSession(validated, credential);
    throw error;
  }
}

function requirePermissions(contract: Contract, principal: SignedIn): void {
  if (contract.administratorOnly && !principal.administrator) throw new ApiError('administrator_only');
  const has = (name: Permission) => grants(contract, principal, name);
  const ofAccount = accountPermissionOf(contract);
  const needed = ofAccount ? [ofAccount] : permissionsOf(contract);
  if (!needed.every(has) || contract.anyPermission?.some(has) === false)
    throw new ApiError('permission_denied');
}

/** Reports whether the contract lets users access their own data and the request is about the calling user. */
function isAboutSelf({ orSelf }: Contract, { event, params }: Validated, principal: SignedIn): boolean {
  if (!orSelf || principal.kind !== 'user') return false;
  const { email } = params as { email?: unknown };
  const named =
    orSelf === 'path'
      ? email
      : (new URLSearchParams(event.rawQueryString).get('user') ?? principal.actor.user);
  return typeof named === 'string' && namesSelf(principal, named);
}

/**
 * Reports whether the request is for the user's primary account: access `home` or `ofNamedAccount`, and no x-account-id.
 * An impersonation has only one account.
 */
const meansPrimary = (
  { access, ofNamedAccount }: Contract,
  { headers }: Validated,
  { kind, impersonator }: Credential,
): boolean =>
  kind === 'user' &&
  !impersonator &&
  (access === 'home' || ofNamedAccount === true) &&
  headers['x-account-id'] === undefined;

/**
 * Throws `account_forbidden` if the session of an impersonation names another account, on every route. Otherwise, a route
 * with access `session` would ignore that the session is valid in one account only.
 */
function requireImpersonatedAccount({ headers }: Validated, { impersonator }: Credential): void {
  const header = headers['x-account-id'];
  if (impersonator && header !== undefined && asAccountId(header) !== impersonator.account)
    throw new ApiError('account_forbidden');
}

/**
 * Returns the account of a request, for every route. Undefined if the request names none. With access `session`, the
 * header is ignored, and the account is the one that stores the caller or that an impersonation is valid in.
 */
function accountOf(
  { access, ofNamedAccount }: Contract,
  validated: Validated,
  credential: Credential,
  isForPrimary: boolean,
): AccountId | undefined {
  if (access === 'session' && !ofNamedAccount) return credential.impersonator?.account ?? credential.home;
  return namedAccount(validated, credential, isForPrimary);
}

/**
 * Returns the account in x-account-id. Without the header, returns the account of an API key or an impersonation, or the
 * account in which a user is stored if the request is for the primary account. This account is nearly always the primary account.
 */
function namedAccount(
  { headers }: Validated,
  { kind, home, impersonator }: Credential,
  isForPrimary: boolean,
): AccountId | undefined {
  const header = headers['x-account-id'];
  if (header !== undefined) return asAccountId(header);
  if (impersonator) return impersonator.account;
  return kind === 'key' || isForPrimary ? home : undefined;
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
