import { createHash, createPublicKey, verify } from 'node:crypto';
import type { EventProof } from '../../shared/integrity/event-seals/schema.ts';

/** Verifies a proof as the API reference describes, using only node:crypto and the public key. */
export function isProof({ sealedText, path, seal }: EventProof, key: string): boolean {
  const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
  let hash = sha256(Buffer.of(0), Buffer.from(sealedText));
  for (const step of path) {
    const beside = Buffer.from(step.hash, 'hex');
    hash = step.side === 'left' ? sha256(Buffer.of(1), beside, hash) : sha256(Buffer.of(1), hash, beside);
  }
  const { hash: _, signature, verifyingKey: __, ...statement } = seal;
  const text = JSON.stringify(statement, Object.keys(statement).sort());
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
  return (
    hash.toString('hex') === seal.root &&
    verify('sha256', Buffer.from(text), publicKey, Buffer.from(signature, 'base64'))
  );
}
