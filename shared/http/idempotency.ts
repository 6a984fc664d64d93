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
import { responseKey } from './keys.ts';
import type { HttpEvent, IdempotentRequest, Received, Validated } from './steps.ts';

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

/** Returns the Idempotency-Key, if the endpoint uses it. Throws `invalid_idempotency_key`. */
export function idempotencyKeyOf(contract: Contract, headers: Received['headers']): string | undefined {
  const header = headers['idempotency-key'];
  if (header === undefined || !isIdempotent(contract)) return undefined;
  if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(header))
    throw new ApiError('invalid_idempotency_key');
  return header;
}

/**
 * Returns the key of the stored response, per account, principal, route and Idempotency-Key. Returns undefined if the
 * request has no valid Idempotency-Key, or if it is a dry run.
 */
export function rowOf(
  { method, path }: Contract,
  { idempotencyKey, dryRun }: Pick<Validated, 'idempotencyKey' | 'dryRun'>,
  account: AccountId,
  principal: Pick<Principal, 'kind' | 'id'>,
): Key | undefined {
  if (idempotencyKey === undefined || dryRun) return undefined;
  const digest = createHash('sha256').update(idempotencyKey).digest('base64url');
  return responseKey(account, principalKeyOf(principal), `${method} ${path}`, digest);
}

/** Returns the key and the stored response. Omits a response that has expired. */
export const idempotentRequest = (
  key: Key | undefined,
  item: Item | undefined,
  now: Date,
): IdempotentRequest | undefined => key && { key, stored: item && !isExpired(item, now) ? item : undefined };

/**
 * Returns the write that stores a successful response in the transaction of the request. Sensitive values are stored as
 * REDACTED: each access to them must be recorded in an event, and a replay emits no event.
 */
export async function storeResponse(
  key: Key,
  contract: Contract,
  shape: Shape,
  { event, now }: Pick<Received, 'event' | 'now'>,
  httpResponse: HttpResponse,
): Promise<Write> {
  const ring = await keyring();
  const response = redactedResponse(JSON.parse(httpResponse.body), shape, contract);
  const row = {
    ...key,
    type: 'idempotency',
    kid: ring.current,
    fingerprint: await fingerprint(ring.current, event),
    statusCode: httpResponse.statusCode,
    headers: httpResponse.headers,
    body: JSON.stringify(response),
    expiresAtSeconds: asSeconds(new Date(now.getTime() + keptMilliseconds)),
  };
  return putIfAbsentOrExpired(row, now);
}

/** Returns a response in which sensitive values, and values that are shown only once, are REDACTED. */
export function redactedResponse(response: unknown, shape: Shape, { oneTime = [] }: Contract): unknown {
  const shown = shaped(response, shape, ['sensitive']);
  for (const path of oneTime) redactAt(shown, path.split('.'));
  return shown;
}

/** Replaces the field at a path with REDACTED, if it exists. */
export function redactAt(value: unknown, [name = '', ...inside]: readonly string[]): void {
  if (typeof value !== 'object' || value === null) return;
  const fields = value as Record<string, unknown>;
  if (inside.length > 0) redactAt(fields[name], inside);
  else if (fields[name] !== undefined) fields[name] = REDACTED;
}

/** Reads the stored response. Returns undefined if no response is stored or it has expired. */
export const findStoredResponse = async (key: Key, now: Date): Promise<Item | undefined> =>
  idempotentRequest(key, await getItem(key), now)?.stored;

/** Returns the stored response. Throws `idempotency_key_reused` if it belongs to a different request. */
export async function replay(stored: Item, event: HttpEvent): Promise<HttpResponse> {
  const known = Buffer.from(String(stored.fingerprint));
  const mine = Buffer.from(await fingerprint(String(stored.kid), event));
  if (known.length !== mine.length || !timingSafeEqual(known, mine))
    throw new ApiError('idempotency_key_reused');
  return {
    statusCode: Number(stored.statusCode),
    headers: { ...(stored.headers as Record<string, string>), 'idempotency-replayed': 'true' },
    body: String(stored.body),
  };
}

/** A keyed hash of path, query and body, so that the table reveals nothing about the body. */
async function fingerprint(kid: string, { rawPath, rawQueryString, body = '' }: HttpEvent): Promise<string> {
  const key = (await keyring(kid)).key(kid, 'idempotency') ?? '';
  return createHmac('sha256', key).update(`${rawPath}?${rawQueryString}\n${body}`).digest('base64url');
}
