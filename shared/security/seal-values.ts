import type { DataKeys } from './data-keys.ts';
import type { Place, Sealed } from './sealed-value.ts';

/** Where the value at a path of a record belongs. */
type PlaceOf = (path: string) => Place;

/**
 * Seals texts for their places, by path. One that is stored there already keeps its ciphertext and what was judged of
 * it. `describe` tells what is kept in clear beside a value.
 */
export async function sealValues(
  keys: DataKeys,
  placeOf: PlaceOf,
  stored: ReadonlyMap<string, Sealed>,
  sent: ReadonlyMap<string, string>,
  describe: (path: string, plain: string) => Omit<Sealed, 'jwe'>,
): Promise<ReadonlyMap<string, Sealed>> {
  const sealed = [...sent].map(async ([path, plain]): Promise<[string, Sealed]> => {
    const known = stored.get(path);
    const same = known && (await keys.open(placeOf(path), known.jwe)) === plain;
    const jwe = same ? known.jwe : await keys.seal(placeOf(path), plain);
    return [path, { ...describe(path, plain), ...(same && { faults: known.faults }), jwe }];
  });
  return new Map(await Promise.all(sealed));
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
