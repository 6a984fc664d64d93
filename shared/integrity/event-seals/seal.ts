import { createHash, createPublicKey, verify } from 'node:crypto';
import { canonicalJson } from '../../events/canonical.ts';
import type { AccountId } from '../../id/account-id.ts';
import { type Item, recordOf } from '../../table/item.ts';
import { leafOf } from './merkle.ts';

/** What a seal says of the events of an account, and what is signed of it. */
export interface SealStatement {
  /** Of the shape of this statement. */
  version: 1;
  accountId: AccountId;
  /** From 1, without gaps. */
  number: number;
  /** Events whose ids were minted at or after `from` and before `to`: ISO 8601 with milliseconds. */
  from: string;
  to: string;
  /** How many events those are. */
  count: number;
  /** The Merkle root over them in the order of their ids, in hex. */
  root: string;
  /** The hash of the seal before, in hex; null for the first. */
  previous: string | null;
}

/** A seal as it is stored: a statement and who stands by it. */
export interface StoredSeal extends SealStatement {
  /** ECDSA on P-256 over the SHA-256 of the statement's text, in base64 of its DER. */
  signature: string;
  /** The public key that it was signed by, in base64 of its DER (SPKI). */
  verifyingKey: string;
}

/** The text of a statement that is signed and hashed: RFC 8785. */
export const statementText = ({
  version,
  accountId,
  number,
  from,
  to,
  count,
  root,
  previous,
}: SealStatement): string => canonicalJson({ version, accountId, number, from, to, count, root, previous });

/** What a seal is known by, in hex: the SHA-256 of its statement's text, which the next seal names as `previous`. */
export const hashOf = (statement: SealStatement): string =>
  createHash('sha256').update(statementText(statement)).digest('hex');

/** Whether a seal was signed by this key: in base64 of its DER (SPKI). */
export function isSignedBy(seal: StoredSeal, verifyingKey: string): boolean {
  const key = createPublicKey({ key: Buffer.from(verifyingKey, 'base64'), format: 'der', type: 'spki' });
  return verify('sha256', Buffer.from(statementText(seal)), key, Buffer.from(seal.signature, 'base64'));
}

/** An event as a seal has it. */
export interface Leaf {
  id: number;
  hash: Buffer;
}

/** The text of an event that is sealed: all that its item holds but what belongs to the table, by RFC 8785. */
export const eventText = (item: Item): string => canonicalJson(recordOf<object>(item));

/** An item of the log as a leaf: by the id of its key, under which everybody finds it. */
export const leafIn = (item: Item): Leaf => ({ id: Number(item.sk), hash: leafOf(eventText(item)) });

/** An id in eight bytes, then the hash. */
const [idBytes, leafBytes] = [8, 40];

/** Leaves in one text: 40 bytes for each, in base64. */
export function packLeaves(leaves: readonly Leaf[]): string {
  const bytes = Buffer.alloc(leaves.length * leafBytes);
  for (const [n, { id, hash }] of leaves.entries()) {
    bytes.writeBigUInt64BE(BigInt(id), n * leafBytes);
    hash.copy(bytes, n * leafBytes + idBytes);
  }
  return bytes.toString('base64');
}

/** The leaves in a text of `packLeaves`. */
export function unpackLeaves(text: string): Leaf[] {
  const bytes = Buffer.from(text, 'base64');
  return Array.from({ length: Math.floor(bytes.length / leafBytes) }, (_, n) => ({
    id: Number(bytes.readBigUInt64BE(n * leafBytes)),
    hash: bytes.subarray(n * leafBytes + idBytes, (n + 1) * leafBytes),
  }));
}
