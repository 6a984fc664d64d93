import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Contract, changes, reachesAll } from '../endpoints/contract.ts';
import { reachRequirement } from '../endpoints/reached.ts';
import type { HttpResponse } from '../endpoints/response.ts';
import { type Shape, shaped } from '../endpoints/shape.ts';
import { ApiError, type ErrorCode, notFound } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { keyWord } from '../resources/key-word.ts';
import type { ReachedType } from '../resources/registry.ts';
import { keyring } from '../security/keyring.ts';
import { digestOf } from '../security/keys.ts';
import { REDACTED } from '../security/merge-fields.ts';
import { type Principal, principalKeyOf } from '../security/principal.ts';
import { asSeconds, type Item, isExpired, isTombstone, recordOf } from '../table/item.ts';
import { type Key, type RecordId, recordKey } from '../table/keys.ts';
import { isCounterDelta, putIfAbsentOrExpired, type Write } from '../table/operations.ts';
import { getItem } from '../table/read.ts';
import { responseKey } from './keys.ts';
import type { Authorized, HttpEvent, IdempotentRequest, Received, Validated } from './steps.ts';

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
  const digest = digestOf(idempotencyKey);
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
  writes: readonly Write[],
): Promise<Write> {
  const ring = await keyring();
  const response = redactedResponse(JSON.parse(httpResponse.body), shape, contract);
  const created = createdBy(contract, writes);
  const row = {
    ...key,
    type: 'idempotency',
    kid: ring.current,
    fingerprint: await fingerprint(ring.current, event),
    statusCode: httpResponse.statusCode,
    headers: httpResponse.headers,
    body: JSON.stringify(response),
    ...(created.length > 0 && { created }),
    expiresAtSeconds: asSeconds(new Date(now.getTime() + keptMilliseconds)),
  };
  return putIfAbsentOrExpired(row, now);
}

/** A record that a request created, and that may leave the reach of the caller. */
interface CreatedRecord {
  type: ReachedType;
  id: RecordId;
}

/** Returns the records in the writes of a request that `replay` checks: the new ones, of the types in the contract's `reach`. */
const createdBy = ({ reach }: Contract, writes: readonly Write[]): CreatedRecord[] =>
  writes.flatMap((write) => {
    const { change } = isCounterDelta(write) ? {} : write;
    const type = [reach ?? []].flat().find((one) => one === change?.type);
    return type && change?.action === 'created' ? [{ type, id: change.id }] : [];
  });

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

/**
 * Returns the stored response. Throws `idempotency_key_reused` if it belongs to a different request, and the errors of
 * `requireReachAgain`.
 */
export async function replay(
  stored: Item,
  contract: Contract,
  authorized: Authorized,
): Promise<HttpResponse> {
  const known = Buffer.from(String(stored.fingerprint));
  const mine = Buffer.from(await fingerprint(String(stored.kid), authorized.event));
  if (known.length !== mine.length || !timingSafeEqual(known, mine))
    throw new ApiError('idempotency_key_reused');
  await requireReachAgain(stored, contract, authorized);
  return {
    statusCode: Number(stored.statusCode),
    headers: { ...(stored.headers as Record<string, string>), 'idempotency-replayed': 'true' },
    body: String(stored.body),
  };
}

/**
 * Throws if a record in the stored response has left the reach of the caller. For a record that existed before the request,
 * throws the error that the request itself would get now. For a record that the request created, throws `not_found` unless
 * the caller may still read it, or still change it if the caller reads no records of the type. Callers who reach all records
 * cause no read.
 */
async function requireReachAgain(stored: Item, contract: Contract, authorized: Authorized): Promise<void> {
  const { account, principal, loading, read } = authorized;
  if (!account || !principal || reachesAll(contract, principal)) return;
  const requireReach = reachRequirement(contract, principal);
  const created = (stored.created ?? []) as CreatedRecord[];
  await Promise.all([
    // Other errors are about references that have changed since then.
    ignoring(
      (code) => code !== 'not_found' && code !== 'permission_denied',
      async () => loading ?? read({ ...authorized, requireReach }),
    ),
    ...created.map(({ type, id }) =>
      ignoring(
        (code) => code === 'permission_denied',
        () => requireReach(type, () => readStored(account, type, id), id),
      ),
    ),
  ]);
}

/** Runs a check. Ignores errors with these codes. */
async function ignoring(
  isIgnored: (code: ErrorCode) => boolean,
  check: () => Promise<unknown>,
): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof ApiError && isIgnored(error.code))) throw error;
  }
}

/** Returns a record without its store, so that bundles do not contain the stores of all types. Throws `not_found`. */
async function readStored(account: AccountId, type: ReachedType, id: RecordId): Promise<object> {
  const item = await getItem(recordKey(account, keyWord(type), id));
  if (!item || isTombstone(item)) throw notFound(type, id);
  return recordOf(item);
}

/** A keyed hash of path, query and body, so that the table reveals nothing about the body. */
async function fingerprint(kid: string, { rawPath, rawQueryString, body = '' }: HttpEvent): Promise<string> {
  const key = (await keyring(kid)).key(kid, 'idempotency') ?? '';
  return createHmac('sha256', key).update(`${rawPath}?${rawQueryString}\n${body}`).digest('base64url');
}
