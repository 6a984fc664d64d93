import { requireOpen } from '../accounts/close-account.ts';
import { accountKey } from '../accounts/keys.ts';
import type { StoredAccount } from '../accounts/schema.ts';
import { type Contract, permissionsOf, replacedRecord } from '../endpoints/contract.ts';
import { makeReadOnly } from '../endpoints/read-only-fields.ts';
import { ApiError, type FieldError, tooManyRequests } from '../errors.ts';
import { type AccountId, asAccountId } from '../id/account-id.ts';
import { networkOf } from '../people/sessions/throttle-login.ts';
import { appKeyFailuresKey, appKeyKey } from '../sales/applications/app-key/keys.ts';
import { appKeyMatches, isAppKey } from '../security/app-keys.ts';
import { callCounterKey, callsOf } from '../security/call-limit.ts';
import { dataKeysKey } from '../security/keys.ts';
import type { Applicant } from '../security/principal.ts';
import { accountAllows } from '../security/read-permission.ts';
import { counterValue, incrementInWindow } from '../table/counters.ts';
import { asSeconds, type Item, isTombstone, recordOf } from '../table/item.ts';
import type { Key } from '../table/keys.ts';
import { getNamedItems } from '../table/read.ts';
import { idempotentRequest, rowOf } from './idempotency.ts';
import { limitAccountCalls, limitCalls } from './rate-limit.ts';
import type { Authorized, HttpEvent, Input, Validated } from './steps.ts';
import { valid } from './validate-request.ts';

const windowSeconds = 15 * 60;
const mostFailures = 20;

/** If one of these headers is present, the appKey is ignored. */
const credentials = ['authorization', 'x-api-key', 'x-api-secret'];

/** Reports whether the request is authenticated by an appKey only, on an endpoint that accepts it. */
export const isFromApplicant = ({ applicant }: Contract, { event, headers }: Validated): boolean =>
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
export async function authorizeApplicant(contract: Contract, validated: Validated): Promise<Authorized> {
  const claim = readClaim(validated.event);
  if (!claim) throw new ApiError('not_authenticated');
  const { account, applicationId } = claim;
  const { now, ipAddress, progress } = validated;
  const principal = applicantOf(claim);
  const failures = appKeyFailuresKey(account, applicationId, networkOf(ipAddress));
  const row = rowOf(contract, validated, account, principal);
  const items = await getNamedItems({
    account: accountKey(account),
    appKey: appKeyKey(account, applicationId),
    failures,
    counter: callCounterKey(callsOf(principal), now),
    dataKeys: contract.sensitive && dataKeysKey(account),
    row,
  });
  if (counterValue(items.failures, now) >= mostFailures)
    throw tooManyRequests(Number(items.failures?.expiresAtSeconds) - asSeconds(now));
  const accountRecord = provenAccount(claim, items.account, items.appKey);
  if (!accountRecord) throw await failure(failures, now);

  const caller = { account, principal, accountRecord };
  progress.caller = caller;
  requireOpen(accountRecord);
  limitCalls(validated, principal, items.counter);
  limitAccountCalls(validated, accountRecord, principal);
  if (!accountAllows(accountRecord.permissions, permissionsOf(contract)))
    throw new ApiError('permission_denied');
  return {
    ...validated,
    ...allowedInput(contract, valid(validated.input)),
    ...caller,
    dataKeysRead: { item: items.dataKeys },
    idempotency: idempotentRequest(row, items.row, now),
  };
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
  return count > mostFailures ? tooManyRequests(windowSeconds) : new ApiError('not_authenticated');
}

/**
 * Throws `invalid_input` with each field that applicants may not send. In a PUT or PATCH of a record, such body fields
 * are read-only: applicants may send them unchanged, as GET returned them.
 */
function allowedInput(contract: Contract, { query, body, readOnly }: Input): Input {
  const { applicantMayNotSend = [] } = contract;
  const input = replacedRecord(contract)
    ? { query, ...makeReadOnly({ body: { ...(body as object) }, readOnly }, applicantMayNotSend) }
    : { query, body, readOnly };
  const sent = { ...(query as object), ...(input.body as object | undefined) };
  const details = applicantMayNotSend
    .filter((name) => Object.hasOwn(sent, name))
    .map((field): FieldError => ({ field, message: 'may not be sent with an appKey' }));
  if (details.length > 0) throw new ApiError('invalid_input', { details });
  return input;
}
