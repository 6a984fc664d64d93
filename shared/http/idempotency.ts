import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type Contract, changes } from '../endpoints/contract.ts';
import type { HttpResponse } from '../endpoints/response.ts';
import { type Shape, shaped } from '../endpoints/shape.ts';
import { ApiError } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { keyring } from '../security/keyring.ts';
import { type Principal, principalKeyOf } from '../security/principal.ts';
import { asSeconds, type Item, isExpired } from '../table/item.ts';
import type { Key } from '../table/keys.ts';
import { putIfAbsentOrExpired, type Write } from '../table/operations.ts';
import { getItem } from '../table/read.ts';
import { idempotencyKey } from './keys.ts';
import type { IdempotentRequest, RequestContext } from './request-context.ts';

const keptMilliseconds = 24 * 3600 * 1000;

/**
 * Whether an Idempotency-Key counts here: on every POST that changes something and that somebody is signed in for. One that
 * only reads, such as a simulation, is safe to repeat as it is, and stores nothing.
 */
export const isIdempotent = (contract: Contract): boolean =>
  contract.method === 'POST' &&
  contract.access !== 'public' &&
  !contract.path.startsWith('/auth/') &&
  changes(contract);

/** Where the response to this key is stored: by account, principal and route. Throws for a key that is not one. */
function idempotencyRow(account: AccountId, principalKey: string, contract: Contract, header: string): Key {
  if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(header))
    throw new ApiError('invalid_idempotency_key');
  const digest = createHash('sha256').update(header).digest('base64url');
  return idempotencyKey(account, principalKey, `${contract.method} ${contract.path}`, digest);
}

/**
 * The same for a request, where it may have a row: undefined without the header, and in a dry run. What is wrong with the
 * header is told with whatever else is wrong with the input.
 */
export function rowOf(
  contract: Contract,
  requestContext: RequestContext,
  account: AccountId,
  principal: Pick<Principal, 'kind' | 'id'>,
): Key | undefined {
  const header = requestContext.headers['idempotency-key'];
  if (header === undefined || !isIdempotent(contract)) return undefined;
  try {
    const row = idempotencyRow(account, principalKeyOf(principal), contract, header);
    return requestContext.dryRun ? undefined : row;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    requestContext.inputError ??= error;
    return undefined;
  }
}

/** A request and what is stored in its row, unless that has expired. */
export const idempotentRequest = (key: Key, item: Item | undefined, now: Date): IdempotentRequest => ({
  key,
  stored: item && !isExpired(item, now) ? item : undefined,
});

/**
 * The write that stores a success beside what it did, so that the two happen together or not at all. The row has no
 * sensitive value: a replay shows REDACTED, since nothing would record that it was shown again.
 */
export async function storeResponse(
  key: Key,
  contract: Contract,
  shape: Shape,
  fingerprintInput: string,
  httpResponse: HttpResponse,
  now: Date,
): Promise<Write> {
  const ring = await keyring();
  const response = shaped(JSON.parse(httpResponse.body), shape, ['sensitive']);
  for (const path of contract.oneTime ?? []) deleteAt(response, path.split('.'));
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

/** Deletes the field at a path, where there is one. */
function deleteAt(value: unknown, [name = '', ...inside]: readonly string[]): void {
  if (typeof value !== 'object' || value === null) return;
  const fields = value as Record<string, unknown>;
  if (inside.length > 0) deleteAt(fields[name], inside);
  else delete fields[name];
}

/** The response that is stored under a key, unless it has expired. */
export async function findStoredResponse(key: Key, now: Date): Promise<Item | undefined> {
  const stored = await getItem(key);
  return stored && !isExpired(stored, now) ? stored : undefined;
}

/** The stored response. Throws `idempotency_key_reused` when it belongs to another request. */
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

/** A keyed hash of path, query and body: the table says nothing about a body, not even to somebody who guesses it. */
async function fingerprint(kid: string, fingerprintInput: string): Promise<string> {
  const key = (await keyring(kid)).key(kid, 'idempotency') ?? '';
  return createHmac('sha256', key).update(fingerprintInput).digest('base64url');
}
