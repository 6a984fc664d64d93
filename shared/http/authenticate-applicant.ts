import { accountKey } from '../accounts/keys.ts';
import type { StoredAccount } from '../accounts/schema.ts';
import { type Contract, replacedRecord } from '../endpoints/contract.ts';
import { makeReadOnly } from '../endpoints/read-only-fields.ts';
import { ApiError, type FieldError } from '../errors.ts';
import { type AccountId, asAccountId } from '../id/account-id.ts';
import { networkOf } from '../people/sessions/throttle-login.ts';
import { appKeyFailuresKey, appKeyKey } from '../sales/applications/keys.ts';
import { appKeyMatches, isAppKey } from '../security/app-keys.ts';
import { callCounterKey, callsOf } from '../security/call-limit.ts';
import { dataKeysKey } from '../security/keys.ts';
import type { Applicant } from '../security/principal.ts';
import { counterValue, incrementInWindow } from '../table/counters.ts';
import { asSeconds, type Item, isTombstone, recordOf } from '../table/item.ts';
import type { Key } from '../table/keys.ts';
import { getItems } from '../table/read.ts';
import { idempotentRequest, rowOf } from './idempotency.ts';
import { limitCalls } from './rate-limit.ts';
import type { HttpEvent, RequestContext } from './request-context.ts';

const windowSeconds = 15 * 60;
const mostFailures = 20;

/** If one of these headers is present, the appKey is ignored. */
const credentials = ['authorization', 'x-api-key', 'x-api-secret'];

/** Reports whether the request is authenticated by an appKey only, on an endpoint that accepts it. */
export const isFromApplicant = (
  { applicant }: Contract,
  event: HttpEvent,
  { headers }: RequestContext,
): boolean =>
  applicant === true &&
  credentials.every((name) => headers[name] === undefined) &&
  new URLSearchParams(event.rawQueryString).has('appKey');

/** An appKey, and the application to which it must belong. */
interface Claim {
  account: AccountId;
  applicationId: string;
  appKey: string;
}

/**
 * Authenticates an applicant by the key of the application in the path. Every failure returns the same 401, and the
 * same items are read whether or not the application exists. After 20 wrong keys for one application from one network
 * in 15 minutes, throws `too_many_requests`, but only for this application and this network.
 */
export async function authenticateApplicant(
  contract: Contract,
  event: HttpEvent,
  requestContext: RequestContext,
): Promise<void> {
  const claim = readClaim(event);
  if (!claim) throw new ApiError('not_authenticated');
  const { account, applicationId } = claim;
  const { now } = requestContext;
  const principal = applicantOf(claim);
  const failures = appKeyFailuresKey(account, applicationId, networkOf(requestContext.ipAddress));
  const row = rowOf(contract, requestContext, account, principal);
  const [accountItem, keyItem, failed, counter, dataKeys, stored] = await getItems([
    accountKey(account),
    appKeyKey(account, applicationId),
    failures,
    callCounterKey(callsOf(principal), now),
    contract.sensitive ? dataKeysKey(account) : accountKey(account),
    row ?? accountKey(account),
  ]);
  if (counterValue(failed, now) >= mostFailures)
    throw tooMany(Number(failed?.expiresAtSeconds) - asSeconds(now));
  const accountRecord = provenAccount(claim, accountItem, keyItem);
  if (!accountRecord) throw await failure(failures, now);

  Object.assign(requestContext, { account, principal, accountRecord });
  if (contract.sensitive) requestContext.dataKeysRead = { item: dataKeys };
  limitCalls(event, requestContext, principal, counter);
  if (requestContext.inputError) throw requestContext.inputError;
  requireAllowed(contract, requestContext);
  if (row) requestContext.idempotency = idempotentRequest(row, stored, now);
}

/**
 * Parses account id, application id and appKey. If one of them is missing, repeated or malformed, returns undefined,
 * and the request is rejected without reading the table.
 */
function readClaim({ rawQueryString, pathParameters }: HttpEvent): Claim | undefined {
  const query = new URLSearchParams(rawQueryString);
  const [appKey = '', ...otherKeys] = query.getAll('appKey');
  const [acctId = '', ...otherAccounts] = query.getAll('acctId');
  const { applicationId = '' } = pathParameters ?? {};
  const account = asAccountId(acctId);
  const fits = isAppKey(appKey) && /^[A-Za-z0-9][\w.~-]{0,63}$/.test(applicationId);
  if (!account || !fits || otherKeys.length + otherAccounts.length > 0) return undefined;
  return { account, applicationId, appKey };
}

const applicantOf = ({ account, applicationId }: Claim): Applicant => ({
  kind: 'applicant',
  id: applicationId,
  home: account,
  log: account,
  actor: { user: `appKey:${applicationId}`, apiKey: null },
  administrator: false,
  permissions: new Set(),
});

/** Returns the account if it exists and the key belongs to the application. */
function provenAccount(
  { appKey }: Claim,
  accountItem: Item | undefined,
  keyItem: Item | undefined,
): StoredAccount | undefined {
  const matches = appKeyMatches(appKey, keyItem?.hash);
  return matches && accountItem && !isTombstone(accountItem) ? recordOf(accountItem) : undefined;
}

/** Counts a wrong key with an atomic increment, so that every concurrent request is counted. */
async function failure(key: Key, now: Date): Promise<ApiError> {
  const count = await incrementInWindow(key, 1, windowSeconds, now);
  return count > mostFailures ? tooMany(windowSeconds) : new ApiError('not_authenticated');
}

const tooMany = (seconds: number): ApiError =>
  new ApiError('too_many_requests', { headers: { 'retry-after': String(Math.max(seconds, 1)) } });

/**
 * Throws `invalid_input` for each field that applicants may not send. In a PUT or PATCH of a record, such body fields
 * are read-only: applicants may send them unchanged, as GET returned them.
 */
function requireAllowed(contract: Contract, requestContext: RequestContext): void {
  const { applicantMayNotSend = [] } = contract;
  const { query, body, readOnly = {} } = requestContext;
  if (replacedRecord(contract))
    Object.assign(
      requestContext,
      makeReadOnly({ body: { ...(body as object) }, readOnly }, applicantMayNotSend),
    );
  const sent = { ...(query as object), ...(requestContext.body as object | undefined) };
  const details = applicantMayNotSend
    .filter((name) => Object.hasOwn(sent, name))
    .map((field): FieldError => ({ field, message: 'may not be sent with an appKey' }));
  if (details.length > 0) throw new ApiError('invalid_input', { details });
}
