import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { AccountId } from '../accounts/account-id.ts';
import { keyring } from '../auth/keyring.ts';
import { asSeconds, type Item, isExpired } from '../table/item.ts';
import { idempotencyKey, type Key } from '../table/keys.ts';
import { getItem } from '../table/read.ts';
import { putNewOrExpired, type Write } from '../table/write.ts';
import type { Contract } from './contract.ts';
import { Refusal } from './errors.ts';
import type { Reply } from './reply.ts';

const keptMilliseconds = 24 * 3600 * 1000;

/** Whether an Idempotency-Key counts here: on every POST that somebody is signed in for. */
export const isIdempotent = (contract: Contract): boolean =>
  contract.method === 'POST' && contract.access !== 'public' && !contract.path.startsWith('/auth/');

/** Where the answer to this key is stored: by account, principal and route. Refuses a key that is not one. */
export function idempotencyRow(
  account: AccountId,
  principal: string,
  contract: Contract,
  header: string,
): Key {
  if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(header))
    throw new Refusal('invalid_idempotency_key');
  const digest = createHash('sha256').update(header).digest('base64url');
  return idempotencyKey(account, principal, `${contract.method} ${contract.path}`, digest);
}

/** The write that stores a success beside what it did, so that the two happen together or not at all. */
export async function rememberReply(
  key: Key,
  contract: Contract,
  asked: string,
  reply: Reply,
  now: Date,
): Promise<Write> {
  const ring = await keyring();
  const answer = JSON.parse(reply.body);
  for (const field of contract.oneTime ?? []) delete answer[field];
  const row = {
    ...key,
    type: 'idempotency',
    kid: ring.current,
    fingerprint: await fingerprint(ring.current, asked),
    statusCode: reply.statusCode,
    headers: reply.headers,
    body: JSON.stringify(answer),
    expiresAtSeconds: asSeconds(new Date(now.getTime() + keptMilliseconds)),
  };
  return putNewOrExpired(row, now);
}

/** The answer that is stored under a key, unless its time is over. */
export async function findReply(key: Key, now: Date): Promise<Item | undefined> {
  const stored = await getItem(key);
  return stored && !isExpired(stored, now) ? stored : undefined;
}

/** The stored answer. Refuses with `idempotency_key_reused` when it answered something else. */
export async function replay(stored: Item, asked: string): Promise<Reply> {
  const known = Buffer.from(String(stored.fingerprint));
  const mine = Buffer.from(await fingerprint(String(stored.kid), asked));
  if (known.length !== mine.length || !timingSafeEqual(known, mine))
    throw new Refusal('idempotency_key_reused');
  return {
    statusCode: Number(stored.statusCode),
    headers: { ...(stored.headers as Record<string, string>), 'idempotency-replayed': 'true' },
    body: String(stored.body),
  };
}

/** Keyed, so that the table tells nothing about a body, not even by guessing it. `asked` is path, query and body. */
async function fingerprint(kid: string, asked: string): Promise<string> {
  const key = (await keyring(kid)).key(kid, 'idempotency') ?? '';
  return createHmac('sha256', key).update(asked).digest('base64url');
}
