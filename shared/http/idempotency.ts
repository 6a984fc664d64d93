import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type Contract, changes } from '../endpoints/contract.ts';
import type { HttpResponse } from '../endpoints/response.ts';
import { type Shape, shaped } from '../endpoints/shape.ts';
import { ApiError } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { keyring } from '../security/keyring.ts';
import { REDACTED } from '../security/merge-fields.ts';
import { type Principal, principalKeyOf } from '../security/principal.ts';
import { asSeconds, type Item, isExpired } from '../table/item.ts';
import type { Key } from '../table/keys.ts';
import { putIfAbsentOrExpired, type Write } from '../table/operations.ts';
import { getItem } from '../table/read.ts';
import { idempotencyKey } from './keys.ts';
import type { IdempotentRequest, RequestContext } from './request-context.ts';

const keptMilliseconds = 24 * 3600 * 1000;

/**
 * Reports whether an Idempotency-Key takes effect: on every POST that changes something, except public endpoints and
 * `/auth/`. Other POSTs, such as a simulation, store no response.
 */
export const isIdempotent = (contract: Contract): boolean =>
  contract.method === 'POST' &&
  contract.access !== 'public' &&
  !contract.path.startsWith('/auth/') &&
  changes(contract);

/**
 * Returns the key of the stored response, per account, principal, route and Idempotency-Key. Returns
 * undefined if the endpoint ignores the header, if the request has no valid header, or if it is a dry run. An
 * invalid header becomes the request's input error.
 */
export function rowOf(
  contract: Contract,
  requestContext: RequestContext,
  account: AccountId,
  principal: Pick<Principal, 'kind' | 'id'>,
): Key | undefined {
  const header = requestContext.headers['idempotency-key'];
  if (header === undefined || !isIdempotent(contract)) return undefined;
  if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(header)) {
    requestContext.inputError ??= new ApiError('invalid_idempotency_key');
    return undefined;
  }
  if (requestContext.dryRun) return undefined;
  const digest = createHash('sha256').update(header).digest('base64url');
  return idempotencyKey(account, principalKeyOf(principal), `${contract.method} ${contract.path}`, digest);
}

/** Returns the key and the stored response. Omits a response that has expired. */
export const idempotentRequest = (key: Key, item: Item | undefined, now: Date): IdempotentRequest => ({
  key,
  stored: item && !isExpired(item, now) ? item : undefined,
});

/**
 * Returns the write that stores a successful response in the transaction of the request. Sensitive values are stored as
 * REDACTED: each access to them must be recorded in an event, and a replay emits no event.
 */
export async function storeResponse(
  key: Key,
  contract: Contract,
  shape: Shape,
  { fingerprintInput, now }: Pick<RequestContext, 'fingerprintInput' | 'now'>,
  httpResponse: HttpResponse,
): Promise<Write> {
  const ring = await keyring();
  const response = shaped(JSON.parse(httpResponse.body), shape, ['sensitive']);
  for (const path of contract.oneTime ?? []) redactAt(response, path.split('.'));
  const row = {
    ...key,
    type: 'idempotency',
    kid: ring.current,
    fingerprint: await fingerprint(ring.current, fingerprintInput),
    statusCode: httpResponse.statusCode,
    headers: httpResponse.headers,
    body: JSON.stringify(response),
    expiresAtSeconds: asSeconds(new Date(now.getTime() + keptMilliseconds)),
  };
  return putIfAbsentOrExpired(row, now);
}

/** Replaces the field at a path with REDACTED, if it exists. */
function redactAt(value: unknown, [name = '', ...inside]: readonly string[]): void {
  if (typeof value !== 'object' || value === null) return;
  const fields = value as Record<string, unknown>;
  if (inside.length > 0) redactAt(fields[name], inside);
  else if (fields[name] !== undefined) fields[name] = REDACTED;
}

/** Reads the stored response. Returns undefined if no response is stored or it has expired. */
export const findStoredResponse = async (key: Key, now: Date): Promise<Item | undefined> =>
  idempotentRequest(key, await getItem(key), now).stored;

/** Returns the stored response. Throws `idempotency_key_reused` if it belongs to a different request. */
export async function replay(stored: Item, fingerprintInput: string): Promise<HttpResponse> {
  const known = Buffer.from(String(stored.fingerprint));
  const mine = Buffer.from(await fingerprint(String(stored.kid), fingerprintInput));
  if (known.length !== mine.length || !timingSafeEqual(known, mine))
    throw new ApiError('idempotency_key_reused');
  return {
    statusCode: Number(stored.statusCode),
    headers: { ...(stored.headers as Record<string, string>), 'idempotency-replayed': 'true' },
    body: String(stored.body),
  };
}

/** A keyed hash of path, query and body, so that the table reveals nothing about the body. */
async function fingerprint(kid: string, fingerprintInput: string): Promise<string> {
  const key = (await keyring(kid)).key(kid, 'idempotency') ?? '';
  return createHmac('sha256', key).update(fingerprintInput).digest('base64url');
}
