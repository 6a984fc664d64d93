import { CompactEncrypt, type CryptoKey, compactDecrypt, decodeProtectedHeader, type KeyInput } from 'jose';
import type { AccountId } from '../id/account-id.ts';

/** A sensitive value as stored. `faults` is computed at encryption, so that validation does not decrypt the value. */
export interface Encrypted {
  /** A JWE in compact form, `dir` with A256GCM. */
  jwe: string;
  /** The last four characters, if they help to recognize the value. */
  last4?: string;
  /** The ids of the warning rules that the value violates. */
  faults: string[];
  /** A keyed hash that is used to find equal values in other records of the account. */
  blind?: string;
}

/** The account, record and field in the protected header of an encrypted value. Decryption checks them. */
export interface Place {
  account: AccountId;
  /** For example `application:app_x` or `merchant:123`. */
  record: string;
  /** For example `basics.dbaTaxId` or `businessOwners[u1].socialSecurityNumber`. */
  field: string;
}

/** Thrown if a value is not bound to the given place (a defect or an attack). Clients get `internal_error`. */
export class DecryptionFailed extends Error {
  override readonly name = 'DecryptionFailed';
  constructor() {
    super('An encrypted value was found in a record or field that it does not belong to.');
  }
}

const algorithm = { alg: 'dir', enc: 'A256GCM' } as const;

/** Encrypts a text for one place with the data key `kid`. */
export const encryptText = (
  { kid, key }: { kid: string; key: CryptoKey },
  { account, record, field }: Place,
  plain: string,
): Promise<string> =>
  new CompactEncrypt(Buffer.from(plain))
    .setProtectedHeader({ ...algorithm, kid, account, record, field })
    .encrypt(key);

/** Decrypts a value. Throws DecryptionFailed if the place, value or key id is wrong. Also throws errors of `keyOf`. */
export async function decryptText(
  keyOf: (kid: string) => Promise<CryptoKey | undefined>,
  place: Place,
  jwe: string,
): Promise<string> {
  const kid = kidOf(jwe);
  const key = kid === undefined ? undefined : await keyOf(kid);
  if (!key) throw new DecryptionFailed();
  return decryptAt(place, jwe, key, algorithm);
}

/** Decrypts a JWE of these algorithms. Throws DecryptionFailed if the key, the place or the text is wrong. */
export async function decryptAt(
  place: Place,
  jwe: string,
  key: KeyInput,
  { alg, enc }: { alg: string; enc: string },
): Promise<string> {
  const decrypted = await compactDecrypt(jwe, key, {
    keyManagementAlgorithms: [alg],
    contentEncryptionAlgorithms: [enc],
  }).catch(() => undefined);
  if (!decrypted || !isAt(place, decrypted.protectedHeader)) throw new DecryptionFailed();
  return Buffer.from(decrypted.plaintext).toString();
}

function kidOf(jwe: string): string | undefined {
  try {
    return decodeProtectedHeader(jwe).kid;
  } catch {
    return undefined;
  }
}

const isAt = ({ account, record, field }: Place, header: Record<string, unknown>): boolean =>
  header.account === account && header.record === record && header.field === field;
