import { requireOpen } from '../accounts/close-account.ts';
import { mustSignOn } from '../accounts/must-sign-on.ts';
import { requireFactor } from '../accounts/require-factor.ts';
import type { StoredAccount } from '../accounts/schema.ts';
import {
  accountPermissionOf,
  type Contract,
  grants,
  mayReadChanged,
  permissionsOf,
  reachesAll,
} from '../endpoints/contract.ts';
import { requireAllowedImpersonation, requireOwnSession } from '../endpoints/impersonation-rule.ts';
import { reachRequirement } from '../endpoints/reached.ts';
import { ApiError } from '../errors.ts';
import { type AccountId, asAccountId } from '../id/account-id.ts';
import { findAuthority, type LoadedPrincipal, loadPrincipal } from '../people/sessions/load-principal.ts';
import { namesSelf } from '../people/users/is-self.ts';
import { isOnlyAdministrator } from '../people/users/store.ts';
import type { Permission } from '../resources/registry.ts';
import { type Credential, onlyAccountOf, readBearerKey, readCredential } from '../security/credential.ts';
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
import type { FreshProofs } from './require-fresh-proof.ts';
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
 * Authenticates and authorizes a request in one read, in parallel with the endpoint's own reads. README.md has the order of
 * the checks.
 */
export async function authorizeRequest(
  contract: Contract,
  validated: Validated,
  freshProofs?: FreshProofs,
): Promise<Authorized> {
  if (contract.proof && !freshProofs) throw new Error('Endpoints with `proof` need the option freshProofs.');
  const { caller, known, failed } = unknownCaller();
  try {
    const accepted = await authorize(contract, validated, caller, freshProofs);
    const authorized = freshProofs?.require(contract, accepted) ?? accepted;
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
  freshProofs: FreshProofs | undefined,
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
  const proof = await freshProofs?.presented(contract, validated, credential);
  const loading = account && readEarly(contract, validated, credential, account, caller);

  const reading = await loadPrincipal(credential, account, now, {
    ...countersOf(credential, now),
    dataKeys: account && contract.sensitive && dataKeysKey(account),
    row,
    usedProof: proof?.marker,
  });
  const { counter, lastUse, dataKeys, row: stored, usedProof } = reading.alongside;
  const presented = proof && { ...proof, isUsed: usedProof !== undefined };
  const principal = provenPrincipal(reading, credential, account, validated);
  progress.caller = { principal };
  noteLastUse(validated, credential, lastUse);
  const authority = isForPrimary && reading.accounts()[0] !== account ? undefined : reading.authority();
  limitCalls(validated, principal, counter, {
    weight:
      validated.input instanceof ApiError ? 1 : contract.weigh?.(validated.input.query, validated.dryRun),
    remembered: validated.dryRun && mayReadChanged(contract, authority?.principal ?? principal),
  });
  requireOnlyAccount(validated, credential);
  requireOwnSession(contract, principal);
  if (contract.access === 'session' && !contract.ofNamedAccount) {
    requireAllowedImpersonation(contract, principal);
    // A session by single sign-on ends with the membership, and never acts for the person.
    if (principal.signedOnTo && !authority) throw new ApiError('not_authenticated');
    const idempotency = idempotentRequest(row, stored, now);
    return { ...validated, ...valid(validated.input), principal, loading, idempotency, presented };
  }

  if (!account) throw new ApiError(headers['x-account-id'] ? 'account_forbidden' : 'account_required');
  const first = authority
    ? { authority, row: row && { key: row, item: stored } }
    : isForPrimary && (await findAuthority(reading.accounts(), principal, rowIn));
  if (!first) throw new ApiError('account_forbidden');
  const { principal: member, account: accountRecord } = first.authority;
  await requireSingleSignOn(contract, accountRecord, member);
  requireFactor(accountRecord, member, now);
  if (contract.access === 'session') {
    requireAllowedImpersonation(contract, member);
    const idempotency = idempotentRequest(first.row?.key, first.row?.item, now);
    return { ...validated, ...valid(validated.input), principal: member, loading, idempotency, presented };
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
    presented,
  };
}

async function credentialOf(
  { sessionOnly, scim }: Contract,
  { headers, now }: Validated,
): Promise<Credential> {
  const credential = (scim && readBearerKey(headers)) || (await readCredential(headers, now));
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
  // With SCIM, every mapped role can be given, so a user could give the role to itself.
  if (contract.scim && principal.kind === 'user' && !principal.administrator)
    throw new ApiError('administrator_only');
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
 * An impersonation and a session by single sign-on have only one account.
 */
const meansPrimary = (
  { access, ofNamedAccount }: Contract,
  { headers }: Validated,
  credential: Credential,
): boolean =>
  credential.kind === 'user' &&
  onlyAccountOf(credential) === undefined &&
  (access === 'home' || ofNamedAccount === true) &&
  headers['x-account-id'] === undefined;

/**
 * Throws `account_forbidden` if a session that is valid in one account only names another account, on every route.
 * Otherwise, a route with access `session` would ignore this.
 */
function requireOnlyAccount({ headers }: Validated, credential: Credential): void {
  const only = onlyAccountOf(credential);
  const header = headers['x-account-id'];
  if (only && header !== undefined && asAccountId(header) !== only) throw new ApiError('account_forbidden');
}

/**
 * Throws `single_sign_on_required` if the account enforces single sign-on for the caller. The endpoints that repair a
 * connection accept an administrator who has proved a second factor, or who is the only administrator of the account.
 */
async function requireSingleSignOn(
  { repairsSignOn }: Contract,
  account: StoredAccount,
  member: SignedIn,
): Promise<void> {
  if (!mustSignOn(account, member)) return;
  const mayRepair =
    repairsSignOn &&
    member.administrator &&
    (member.factor !== undefined || (await isOnlyAdministrator(account.id, member.id)));
  if (!mayRepair) throw new ApiError('single_sign_on_required');
}

/**
 * Returns the account of a request, for every route. Undefined if the request names none. With access `session`, the
 * header is ignored, and the account is the one that stores the caller or the only one in which the session is valid.
 */
function accountOf(
  { access, ofNamedAccount }: Contract,
  validated: Validated,
  credential: Credential,
  isForPrimary: boolean,
): AccountId | undefined {
  if (access === 'session' && !ofNamedAccount) return onlyAccountOf(credential) ?? credential.home;
  return namedAccount(validated, credential, isForPrimary);
}

/**
 * Returns the account in x-account-id. Without the header, returns the account of an API key, the only account of a session,
 * or the account in which a user is stored if the request is for the primary account. This account is nearly always the
 * primary account.
 */
function namedAccount(
  { headers }: Validated,
  credential: Credential,
  isForPrimary: boolean,
): AccountId | undefined {
  const { kind, home } = credential;
  const header = headers['x-account-id'];
  if (header !== undefined) return asAccountId(header);
  return onlyAccountOf(credential) ?? (kind === 'key' || isForPrimary ? home : undefined);
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
