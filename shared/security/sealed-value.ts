import { CompactEncrypt, type CryptoKey, compactDecrypt, decodeProtectedHeader } from 'jose';
import type { AccountId } from '../id/account-id.ts';

/** A sensitive value as it is stored. Nothing opens it to validate: what rules need was judged when it was sealed. */
export interface Sealed {
  /** A JWE in compact form, `dir` with A256GCM. */
  jwe: string;
  /** The last four characters, where they help to recognise a value. */
  last4?: string;
  /** The ids of the warning rules that the plain text breaks. */
  faults: string[];
  /** Its keyed hash, by which the same value is found in other records of the account. */
  blind?: string;
}

/** Where a value belongs: all of it stands in the protected header and is checked when the value is opened. */
export interface Place {
  account: AccountId;
  /** Such as `application:app_x` or `merchant:123`. */
  record: string;
  /** Such as `basics.dbaTaxId` or `businessOwners[u1].socialSecurityNumber`. */
  field: string;
}

/** A sealed value is not what its place says. To the client an internal error: only a defect or an intruder moves one. */
export class DoesNotOpen extends Error {
  override readonly name = 'DoesNotOpen';
  constructor() {
    super('A sealed value does not open where it was found.');
  }
}

const algorithm = { alg: 'dir', enc: 'A256GCM' } as const;

/** Seals a text for one place with the data key that `kid` names. */
export const sealText = (
  { kid, key }: { kid: string; key: CryptoKey },
  { account, record, field }: Place,
  plain: string,
): Promise<string> =>
  new CompactEncrypt(Buffer.from(plain))
    .setProtectedHeader({ ...algorithm, kid, account, record, field })
    .encrypt(key);

/**
 * The text of a sealed value. Throws DoesNotOpen where it was sealed for another place, with a key that the account
 * does not have, or was changed; and whatever `keyOf` throws.
 */
export async function openText(
  keyOf: (kid: string) => Promise<CryptoKey | undefined>,
  place: Place,
  jwe: string,
): Promise<string> {
  const kid = kidOf(jwe);
  const key = kid === undefined ? undefined : await keyOf(kid);
  if (!key) throw new DoesNotOpen();
  const opened = await compactDecrypt(jwe, key, {
    keyManagementAlgorithms: [algorithm.alg],
    contentEncryptionAlgorithms: [algorithm.enc],
  }).catch(() => undefined);
  if (!opened || !isAt(place, opened.protectedHeader)) throw new DoesNotOpen();
  return Buffer.from(opened.plaintext).toString();
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
