import { createPrivateKey, type KeyObject } from 'node:crypto';
import { invalid } from '../errors.ts';
import type { DataKeys } from '../security/data-keys.ts';
import type { Place } from '../security/encrypted-value.ts';
import type { StoredSsoConnection } from './schema.ts';

type ConnectionId = Pick<StoredSsoConnection, 'accountId' | 'id'>;

const placeOf = ({ accountId, id }: ConnectionId): Place => ({
  account: accountId,
  record: `sso-connection:${id}`,
  field: 'secret',
});

export const encryptClientSecret = (of: ConnectionId, secret: string, keys: DataKeys): Promise<string> =>
  keys.encrypt(placeOf(of), secret);

export const decryptClientSecret = (connection: StoredSsoConnection, keys: DataKeys): Promise<string> =>
  keys.decrypt(placeOf(connection), connection.secret);

/** Reads the private key of a connection, with its algorithm. Throws `invalid_input`. */
export function readPrivateKey(pem: string): { key: KeyObject; alg: 'RS256' | 'ES256' | 'EdDSA' } {
  const key = parsed(pem);
  const { modulusLength = 0, namedCurve } = key?.asymmetricKeyDetails ?? {};
  if (key?.asymmetricKeyType === 'rsa' && modulusLength >= 2048) return { key, alg: 'RS256' };
  if (key?.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1') return { key, alg: 'ES256' };
  if (key?.asymmetricKeyType === 'ed25519') return { key, alg: 'EdDSA' };
  throw invalid(
    'privateKey',
    'must be a private key in PEM (PKCS #8): RSA of at least 2,048 bits, P-256 or Ed25519',
  );
}

function parsed(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
