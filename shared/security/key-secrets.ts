import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { type AccountId, asAccountId } from '../id/account-id.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const base62 = (length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** Nine base62 digits can represent any safe integer (62^9 > 2^53). */
const idDigits = 9;

function encode(value: number, length: number): string {
  let [rest, text] = [value, ''];
  for (let digit = 0; digit < length; digit++) {
    text = alphabet[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

const decode = (text: string): number =>
  [...text].reduce((value, digit) => value * 62 + alphabet.indexOf(digit), 0);

/**
 * Creates the public half of an API key: `mo_key_<accountId>_<22 base62>`. The first nine of the 22 digits encode the
 * key's id, so that the stored key is found without an index.
 */
export const mintApiKey = (account: AccountId, id: number): string =>
  `mo_key_${account}_${encode(id, idDigits)}${base62(22 - idDigits)}`;

/** Returns the account and id in the public half of an API key, or undefined for other texts. */
export function parseApiKey(apiKey: string): { account: AccountId; id: number } | undefined {
  const [, accountId, digits] = /^mo_key_([A-Za-z0-9_-]{1,64})_([0-9A-Za-z]{22})$/.exec(apiKey) ?? [];
  const account = accountId === undefined ? undefined : asAccountId(accountId);
  const id = decode(digits?.slice(0, idDigits) ?? '');
  return account && Number.isSafeInteger(id) ? { account, id } : undefined;
}

/** The first 32 bits of SHA-256 as six base62 digits. Secret scanners use this checksum to recognize our secrets. */
const checksum = (body: string): string =>
  encode(createHash('sha256').update(body).digest().readUInt32BE(0), 6);

/** Creates a text with 256 random bits: `<prefix><43 base62><6 base62 checksum>`. */
export function mintText(prefix: string): string {
  const body = base62(43);
  return `${prefix}${body}${checksum(body)}`;
}

/** Reports whether a text has the form of `mintText` and a valid checksum. */
export function isMinted(prefix: string, text: string): boolean {
  const [, body = '', sum] = /^([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(text.slice(prefix.length)) ?? [];
  return text.startsWith(prefix) && sum === checksum(body);
}

/** Creates a secret: `mo_sk_<43 base62><6 base62 checksum>`. */
export const mintSecret = (): string => mintText('mo_sk_');

/** Returns the hash to store for a secret. A fast hash is enough for 256 random bits. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Compares a secret with a stored hash in constant time. */
export function secretMatches(secret: string, hash: string): boolean {
  const presented = Buffer.from(hashSecret(secret));
  const stored = Buffer.from(hash);
  return presented.length === stored.length && timingSafeEqual(presented, stored);
}
