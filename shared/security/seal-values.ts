import type { DataKeys } from './data-keys.ts';
import type { Place, Sealed } from './sealed-value.ts';

/** Where the value at a path of a record belongs. */
type PlaceOf = (path: string) => Place;

/** What sealing has to do with a record's values, by path. */
interface SealingInput {
  stored: ReadonlyMap<string, Sealed>;
  /** What a request sent in clear. */
  sent: ReadonlyMap<string, string>;
  /**
   * Whether the caller may read the stored values. If not, a sent value is sealed again also where it equals the stored
   * one. The record then changes in either case, so that a caller who guesses a value learns nothing.
   */
  mayRead: boolean;
  /** Stored values of which `describe` says something else now, although nobody sent them. */
  again?: readonly string[];
}

/**
 * Seals texts for their places, by path. For a caller who may read it, one that is stored there already keeps its
 * ciphertext and what was judged of it. `describe` returns the facts that are stored in clear beside a value.
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

/** The plain texts of sealed values, by path. */
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
