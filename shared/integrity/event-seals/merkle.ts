import { createHash } from 'node:crypto';

/**
 * The Merkle tree of RFC 6962, section 2.1, with SHA-256. Leaves and inner nodes are hashed with different
 * prefixes, so that an inner node is never accepted as a leaf.
 */
const [leafPrefix, nodePrefix] = [Buffer.of(0), Buffer.of(1)];

/** The hash of a leaf, from its text in UTF-8. */
export const leafOf = (text: string): Buffer => sha256(leafPrefix, Buffer.from(text));

/**
 * Returns the root of the tree with these leaves, in this order. Without leaves, returns the hash of the empty string.
 */
export function rootOf(leaves: readonly Buffer[]): Buffer {
  const [leaf] = leaves;
  if (!leaf) return sha256();
  if (leaves.length === 1) return leaf;
  const middle = splitOf(leaves.length);
  return node(rootOf(leaves.slice(0, middle)), rootOf(leaves.slice(middle)));
}

/** A sibling hash on the path from a leaf to the root, and its side. */
interface Step {
  side: 'left' | 'right';
  /** Hexadecimal. */
  hash: string;
}

/** The sibling hashes from the leaf at this index up to the root. */
export function pathTo(index: number, leaves: readonly Buffer[]): Step[] {
  if (leaves.length <= 1) return [];
  const middle = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, middle), leaves.slice(middle)];
  return index < middle
    ? [...pathTo(index, left), { side: 'right', hash: rootOf(right).toString('hex') }]
    : [...pathTo(index - middle, right), { side: 'left', hash: rootOf(left).toString('hex') }];
}

/** Computes the root from a leaf and its path. */
export const rootFromPath = (leaf: Buffer, path: readonly Step[]): Buffer =>
  path.reduce((below, { side, hash }) => {
    const sibling = Buffer.from(hash, 'hex');
    return side === 'left' ? node(sibling, below) : node(below, sibling);
  }, leaf);

/** The largest power of two below the number of leaves. */
const splitOf = (leaves: number): number => 2 ** Math.ceil(Math.log2(leaves) - 1);

const node = (left: Buffer, right: Buffer): Buffer => sha256(nodePrefix, left, right);

function sha256(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
