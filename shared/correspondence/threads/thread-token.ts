import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type AccountId, asAccountId } from '../../id/account-id.ts';
import { type Keyring, keyring } from '../../security/keyring.ts';
import { getItem } from '../../table/read.ts';
import { type ThreadType, threadTypes } from '../mails/schema.ts';
import { base32, fromBase32 } from './base32.ts';
import { threadIdKey } from './keys.ts';
import type { ThreadOf } from './schema.ts';
import { requireServiceMailDomain, serviceMailDomain } from './service-mail-domain.ts';
import { digestedId, digestLength, idWith, threadNumber } from './thread-id.ts';

// A token is in the local part of an address, which has at most 64 characters (RFC 5321, 4.5.3.1.1). Its bytes:
//   key hint 1 | form 1 | account 8 | record 7 or 8 | hash of the recipient 10 | MAC 10
// An account id in another form than that of `mintAccountId` has a length byte and at most 7 characters.
// A person who owns a mail domain can try addresses until one has the hash of another recipient. 80 bits make this impossible.

const inboundPrefix = 'in-';
const replyPrefix = 're-';

const [numberLength, hashLength, macLength, longestPlainAccount] = [7, 10, 10, 7];

/** The bits of the byte `form`: the kind (2), the type of the record (2), an account id as text (1), a digest (1). */
const kinds = ['inbound', 'reply', 'message'] as const;
type TokenKind = (typeof kinds)[number];
const [textAccount, digestOfId] = [16, 32];

/** The secret of an inbound address has this many random bytes. It does not depend on a key, so it never expires. */
export const inboundSecretLength = 10;

const generatedAccount = /^acc_[0-9a-f]{16}$/;

function accountBytes(account: AccountId): { bytes: Buffer; flag: number } {
  if (generatedAccount.test(account)) return { bytes: Buffer.from(account.slice(4), 'hex'), flag: 0 };
  const text = Buffer.from(account, 'ascii');
  if (text.length > longestPlainAccount)
    throw new Error(`The account id ${account} is too long for an address.`);
  return { bytes: Buffer.concat([Buffer.of(text.length), text]), flag: textAccount };
}

function recordBytes(of: ThreadOf): { bytes: Buffer; flag: number } {
  const number = threadNumber(of);
  if (number !== undefined) return { bytes: numberBytes(number), flag: 0 };
  return { bytes: Buffer.from(digestedId(of) ?? '', 'hex'), flag: digestOfId };
}

/** Safe integers have 53 bits. */
function numberBytes(number: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes.subarray(8 - numberLength);
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

const addressHash = (address: string): Buffer => sha256(address.trim().toLowerCase()).subarray(0, hashLength);

/** Returns the hash of an address as it is in tokens. The case of the address is ignored. */
export const hashOfAddress = (address: string): string => addressHash(address).toString('hex');

/** The first byte of a token selects its key, so that most tokens need only one MAC. */
const hintOf = (kid: string): number => sha256(kid)[0] ?? 0;

/** The MAC covers the stage, so that tokens of one stage are invalid in another one, even with the same keys. */
const macOf = (key: Uint8Array, signed: Uint8Array): Buffer =>
  createHmac('sha256', key)
    .update(`${process.env.STAGE ?? ''}\n`)
    .update(signed)
    .digest()
    .subarray(0, macLength);

async function threadToken(
  kind: TokenKind,
  account: AccountId,
  thread: ThreadOf,
  recipient: string,
): Promise<string> {
  const ring = await keyring();
  const key = ring.key(ring.current, 'mail-address');
  if (!key) throw new Error('The keyring has no current key.');
  const [ofAccount, ofRecord] = [accountBytes(account), recordBytes(thread)];
  const form =
    kinds.indexOf(kind) | (threadTypes.indexOf(thread.recordType) << 2) | ofAccount.flag | ofRecord.flag;
  const signed = Buffer.concat([
    Buffer.of(hintOf(ring.current), form),
    ofAccount.bytes,
    ofRecord.bytes,
    addressHash(recipient),
  ]);
  return base32(Buffer.concat([signed, macOf(key, signed)]));
}

/**
 * Returns the hidden address to which a company forwards the mail of an address: `in-<token>@<mail domain>`. `secret` are the
 * random bytes that are stored with the address, in base 32. Throws `mail_unavailable`.
 */
export function inboundAddress(account: AccountId, addressId: number, secret: string): string {
  const domain = requireServiceMailDomain();
  const { bytes, flag } = accountBytes(account);
  const form = Buffer.of(kinds.indexOf('inbound') | flag);
  const token = Buffer.concat([form, bytes, numberBytes(addressId), fromBase32(secret) ?? Buffer.alloc(0)]);
  return `${inboundPrefix}${base32(token)}@${domain}`;
}

/**
 * Returns the address to which a recipient replies: `re-<token>@<mail domain>`. It is valid only for mail from this recipient.
 * Throws `mail_unavailable`.
 */
export async function replyAddress(account: AccountId, thread: ThreadOf, recipient: string): Promise<string> {
  const domain = requireServiceMailDomain();
  return `${replyPrefix}${await threadToken('reply', account, thread, recipient)}@${domain}`;
}

/**
 * Returns the Message-ID of a mail, with angle brackets. It proves the thread and the recipient, as a reply address does. Mail
 * programs copy it to `In-Reply-To` and `References`. Throws `mail_unavailable`.
 */
export async function newMessageId(
  account: AccountId,
  thread: ThreadOf,
  recipient: string,
  mailId: number,
): Promise<string> {
  const domain = requireServiceMailDomain();
  return `<${await threadToken('message', account, thread, recipient)}.${mailId}@${domain}>`;
}

/** The content of an address or a Message-ID of the service. */
export type MailToken =
  | {
      kind: 'inbound';
      account: AccountId;
      addressId: number;
      /** Must equal the secret of the stored address; see `mailAddresses.lookUpInbound`. */
      secret: string;
    }
  | {
      kind: 'thread';
      account: AccountId;
      thread: ThreadOf;
      /** The hash of the only sender for whom the token is valid; see `hashOfAddress`. */
      recipientHash: string;
      /** The id of the mail, in a Message-ID. */
      mailId?: number;
    };

const inboundForm = /^in-([a-z2-7]+)$/i;
const replyForm = /^re-([a-z2-7]+)$/i;
const messageForm = /^([a-z2-7]+)\.(\d{1,16})$/i;

/**
 * Reads an inbound address, a reply address or a Message-ID, with or without angle brackets, in any case. Returns undefined for
 * other texts, and if the MAC is wrong. The MAC of an inbound address is the stored secret, which the caller compares.
 */
export async function readToken(text: string): Promise<MailToken | undefined> {
  const own = serviceMailDomain();
  const [, local = '', domain = ''] = /^<?([^<>@\s]+)@([^<>@\s]+)>?$/.exec(text.trim()) ?? [];
  if (own === undefined || domain.toLowerCase() !== own.toLowerCase()) return undefined;
  const [, inbound] = inboundForm.exec(local) ?? [];
  if (inbound !== undefined) return readInbound(inbound);
  const [, reply] = replyForm.exec(local) ?? [];
  if (reply !== undefined) return readThread('reply', reply);
  const [, message, mailId] = messageForm.exec(local) ?? [];
  const read = message === undefined ? undefined : await readThread('message', message);
  return read && { ...read, mailId: Number(mailId) };
}

function readInbound(text: string): MailToken | undefined {
  const bytes = fromBase32(text);
  if (!bytes || ((bytes[0] ?? 0) & ~textAccount) !== kinds.indexOf('inbound')) return undefined;
  const account = readAccount(Buffer.from(bytes.subarray(1)), bytes[0] ?? 0);
  if (account?.rest.length !== numberLength + inboundSecretLength) return undefined;
  return {
    kind: 'inbound',
    account: account.id,
    addressId: readNumber(account.rest),
    secret: base32(account.rest.subarray(numberLength)),
  };
}

/** Reads the account at the start of the bytes. */
function readAccount(bytes: Buffer, form: number): { id: AccountId; rest: Buffer } | undefined {
  const isText = (form & textAccount) !== 0;
  const [from, length] = isText ? [1, bytes[0] ?? 0] : [0, 8];
  const part = bytes.subarray(from, from + length);
  const id = asAccountId(isText ? part.toString('ascii') : `acc_${part.toString('hex')}`);
  return id && part.length === length ? { id, rest: bytes.subarray(from + length) } : undefined;
}

const readNumber = (bytes: Buffer): number => bytes.readUIntBE(0, 1) * 2 ** 48 + bytes.readUIntBE(1, 6);

async function readThread(
  kind: TokenKind,
  text: string,
): Promise<(MailToken & { kind: 'thread' }) | undefined> {
  const bytes = fromBase32(text);
  const signed = bytes && (await verified(Buffer.from(bytes)));
  if (!signed) return undefined;
  const form = signed[1] ?? 0;
  const recordType = threadTypes[(form >> 2) & 3];
  if (kinds[form & 3] !== kind || recordType === undefined) return undefined;
  const account = readAccount(signed.subarray(2), form);
  const idLength = form & digestOfId ? digestLength : numberLength;
  if (account?.rest.length !== idLength + hashLength) return undefined;
  const recordId = await readRecordId(account.id, recordType, account.rest.subarray(0, idLength));
  if (recordId === undefined) return undefined;
  const recipientHash = account.rest.subarray(idLength).toString('hex');
  return { kind: 'thread', account: account.id, thread: { recordType, recordId }, recipientHash };
}

async function readRecordId(
  account: AccountId,
  type: ThreadType,
  bytes: Buffer,
): Promise<string | undefined> {
  if (bytes.length === numberLength) return idWith(type, readNumber(bytes));
  const recordId = (await getItem(threadIdKey(account, bytes.toString('hex'))))?.recordId;
  return typeof recordId === 'string' ? recordId : undefined;
}

/** Returns the signed bytes of a token if its MAC is that of a key with its hint. All keys of the keyring verify. */
async function verified(token: Buffer): Promise<Buffer | undefined> {
  if (token.length <= macLength) return undefined;
  const [signed, mac] = [token.subarray(0, -macLength), token.subarray(-macLength)];
  const fits = ({ kids }: Keyring) => kids.filter((kid) => hintOf(kid) === token[0]);
  const cached = await keyring();
  // Another instance may have signed with a newer key. Such an id refreshes the cached keyring, at most once a second.
  const ring = fits(cached).length > 0 ? cached : await keyring(`hint-${token[0]}`);
  const isValid = fits(ring).some((kid) => {
    const key = ring.key(kid, 'mail-address');
    return key !== undefined && timingSafeEqual(macOf(key, signed), mac);
  });
  return isValid ? signed : undefined;
}
