import type { DataKeys } from './data-keys.ts';
import type { Encrypted, Place } from './encrypted-value.ts';

/** Returns the record and field to which the value at a path is bound. */
type PlaceOf = (path: string) => Place;

/** The values of a record, by path. */
interface EncryptionInput {
  stored: ReadonlyMap<string, Encrypted>;
  /** Plain-text values from a request. */
  sent: ReadonlyMap<string, string>;
  /**
   * Whether the caller may read the stored values. If false, every sent value is encrypted again, even if it equals the
   * stored value. The record then always changes, so the caller cannot find out whether a guessed value is correct.
   */
  mayRead: boolean;
  /** The paths of stored values that were not sent, but need a new result of `describe`. */
  again?: readonly string[];
}

/**
 * Encrypts each sent text and binds it to its record and field. If the caller may read a stored value and
 * sends an equal value, the stored ciphertext and `faults` are kept. `describe` returns the data that is
 * stored unencrypted with a value.
 */
export async function encryptValues(
  keys: DataKeys,
  placeOf: PlaceOf,
  { stored, sent, mayRead, again = [] }: EncryptionInput,
  describe: (path: string, plain: string) => Omit<Encrypted, 'jwe'>,
): Promise<ReadonlyMap<string, Encrypted>> {
  const encrypted = [...new Set([...again, ...sent.keys()])].map(
    async (path): Promise<[string, Encrypted][]> => {
      const known = mayRead || !sent.has(path) ? stored.get(path) : undefined;
      const before = known && (await keys.decrypt(placeOf(path), known.jwe));
      const plain = sent.get(path) ?? before;
      if (plain === undefined) return [];
      if (known && plain === before)
        return [[path, { ...describe(path, plain), faults: known.faults, jwe: known.jwe }]];
      return [[path, { ...describe(path, plain), jwe: await keys.encrypt(placeOf(path), plain) }]];
    },
  );
  return new Map((await Promise.all(encrypted)).flat());
}

export async function decryptValues(
  keys: DataKeys,
  placeOf: PlaceOf,
  encrypted: ReadonlyMap<string, Encrypted>,
): Promise<ReadonlyMap<string, string>> {
  const decrypted = [...encrypted].map(
    async ([path, { jwe }]) => [path, await keys.decrypt(placeOf(path), jwe)] as const,
  );
  return new Map(await Promise.all(decrypted));
}
