import type { DataKeys } from './data-keys.ts';
import type { Place, Sealed } from './sealed-value.ts';

/** Returns the record and field to which the value at a path is bound. */
type PlaceOf = (path: string) => Place;

/** The values of a record, by path. */
interface SealingInput {
  stored: ReadonlyMap<string, Sealed>;
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
export async function sealValues(
  keys: DataKeys,
  placeOf: PlaceOf,
  { stored, sent, mayRead, again = [] }: SealingInput,
  describe: (path: string, plain: string) => Omit<Sealed, 'jwe'>,
): Promise<ReadonlyMap<string, Sealed>> {
  const sealed = [...new Set([...again, ...sent.keys()])].map(async (path): Promise<[string, Sealed][]> => {
    const known = mayRead || !sent.has(path) ? stored.get(path) : undefined;
    const before = known && (await keys.open(placeOf(path), known.jwe));
    const plain = sent.get(path) ?? before;
    if (plain === undefined) return [];
    if (known && plain === before)
      return [[path, { ...describe(path, plain), faults: known.faults, jwe: known.jwe }]];
    return [[path, { ...describe(path, plain), jwe: await keys.seal(placeOf(path), plain) }]];
  });
  return new Map((await Promise.all(sealed)).flat());
}

export async function openValues(
  keys: DataKeys,
  placeOf: PlaceOf,
  sealed: ReadonlyMap<string, Sealed>,
): Promise<ReadonlyMap<string, string>> {
  const opened = [...sealed].map(
    async ([path, { jwe }]) => [path, await keys.open(placeOf(path), jwe)] as const,
  );
  return new Map(await Promise.all(opened));
}
