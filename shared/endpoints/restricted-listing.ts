import type { Permission } from '../resources/registry.ts';
import type { Static, TObject, TSchema } from '../schema.ts';
import type { ListSource } from '../table/list-source.ts';
import type { RequestInput } from './endpoint.ts';
import { type ListingContract, listing } from './listing.ts';

/** The two sources of a list: `full` yields all records, `restricted` only records that do not need the permission. */
interface ListVariants<R, S> {
  full: ListSource<R, S>;
  restricted: ListSource<R, S>;
}

/**
 * Declares the endpoint of a list that shows some records only to callers with `permission`. For other callers, pages,
 * totals, windows and errors reveal nothing about these records. `read` loads both lists, because it runs before the
 * caller is authenticated.
 */
export function restrictedListing<I extends TObject, S, K extends TSchema>(
  permission: Permission,
  contract: ListingContract<I, S, K>,
  from: (input: RequestInput<{ params: K }>) => ListVariants<Static<I>, S>,
) {
  const known = new WeakMap<object, ListVariants<Static<I>, S>>();
  /** Caches the sources by the parameters of a request, because both lists call this function once per request. */
  const partsOf = (input: RequestInput<{ params: K }>) => {
    const params = input.params as object;
    const parts = known.get(params) ?? from(input);
    known.set(params, parts);
    return parts;
  };
  const full = listing(contract, (input) => partsOf(input).full);
  const restricted = listing(contract, (input) => partsOf(input).restricted);
  const read: typeof full.read = async (input) =>
    Promise.allSettled([full.read?.(input), restricted.read?.(input)]);
  const decide: typeof full.decide = async (request, early) => {
    const [list, index] = request.principal.permissions.has(permission) ? [full, 0] : [restricted, 1];
    const result = (early as PromiseSettledResult<unknown>[])[index];
    if (result?.status === 'rejected') throw result.reason;
    return list.decide(request, result?.value);
  };
  return { ...full, read, decide };
}
