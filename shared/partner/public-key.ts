import { createPublicKey, type KeyObject } from 'node:crypto';
import { invalid } from '../errors.ts';

/** Parses the partner's public key. Throws `invalid_input` for other types, short keys and private keys. */
export function readPublicKey(pem: string): KeyObject {
  const key = parsedKey(pem);
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key ?? {};
  const isRsa = type === 'rsa' && (details?.modulusLength ?? 0) >= 2048;
  const isEc = type === 'ec' && details?.namedCurve === 'prime256v1';
  if (!key || !(isRsa || isEc))
    throw invalid('publicKey', 'must be a PEM public key: RSA with at least 2048 bits, or EC P-256');
  return key;
}

function parsedKey(pem: string): KeyObject | undefined {
  // Without this check, Node.js would accept a private key and derive its public key.
  if (!pem.trim().startsWith('-----BEGIN PUBLIC KEY-----')) return undefined;
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}
