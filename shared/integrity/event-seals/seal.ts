import { createHash, createPublicKey, verify } from 'node:crypto';
import { canonicalJson } from '../../events/canonical.ts';
import type { AccountId } from '../../id/account-id.ts';
import { type Item, recordOf } from '../../table/item.ts';
import { leafOf } from './merkle.ts';

/** The signed content of a seal. */
export interface SealStatement {
  version: 1;
  accountId: AccountId;
  /** Starts at 1, without gaps. */
  number: number;
  /**
   * The seal covers the events whose ids were created at or after `from` and before `to`. Both are in ISO
   * 8601 with milliseconds.
   */
  from: string;
  to: string;
  count: number;
  /** The Merkle root over the events, sorted by id, in hexadecimal. */
  root: string;
  /** The hash of the previous seal in hexadecimal; null for the first seal. */
  previous: string | null;
}

/** A seal as stored: the statement and its signature. */
export interface StoredSeal extends SealStatement {
  /** ECDSA (P-256, SHA-256) over the statement's text, as DER in base64. */
  signature: string;
  /** The public key of the signature, as DER (SPKI) in base64. */
  verifyingKey: string;
}

/** Returns a statement as canonical JSON (RFC 8785). This text is signed and hashed. */
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

/** The hash of a seal in hexadecimal: SHA-256 of its statement's text. The next seal contains it as `previous`. */
export const sealHashOf = (statement: SealStatement): string =>
  createHash('sha256').update(statementText(statement)).digest('hex');

/** Reports whether the signature of a seal matches a public key: DER (SPKI) in base64. */
export function isSignedBy(seal: StoredSeal, verifyingKey: string): boolean {
  const key = createPublicKey({ key: Buffer.from(verifyingKey, 'base64'), format: 'der', type: 'spki' });
  return verify('sha256', Buffer.from(statementText(seal)), key, Buffer.from(seal.signature, 'base64'));
}

/** A sealed event. */
export interface Leaf {
  id: number;
  hash: Buffer;
}

/**
 * The sealed text of an event: the fields of its item as canonical JSON (RFC 8785), without the table's own attributes,
 * such as keys.
 */
export const eventText = (item: Item): string => canonicalJson(recordOf<object>(item));

/** The leaf of an event. Its id is the sort key of the item. */
export const leafIn = (item: Item): Leaf => ({ id: Number(item.sk), hash: leafOf(eventText(item)) });

/** The sizes of a packed id and of a packed leaf, in bytes. */
const [idBytes, leafBytes] = [8, 40];

/** Packs leaves into base64: 40 bytes each. */
export function packLeaves(leaves: readonly Leaf[]): string {
  const bytes = Buffer.alloc(leaves.length * leafBytes);
  for (const [n, { id, hash }] of leaves.entries()) {
    bytes.writeBigUInt64BE(BigInt(id), n * leafBytes);
    hash.copy(bytes, n * leafBytes + idBytes);
  }
  return bytes.toString('base64');
}

export function unpackLeaves(text: string): Leaf[] {
  const bytes = Buffer.from(text, 'base64');
  return Array.from({ length: Math.floor(bytes.length / leafBytes) }, (_, n) => ({
    id: Number(bytes.readBigUInt64BE(n * leafBytes)),
    hash: bytes.subarray(n * leafBytes + idBytes, (n + 1) * leafBytes),
  }));
}
