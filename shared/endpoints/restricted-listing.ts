import type { Static, TObject, TProperties, TSchema } from '../schema.ts';
import type { Permission } from '../security/permissions.ts';
import type { ListSource } from '../table/list-source.ts';
import type { RequestInput } from './endpoint.ts';
import { type ListingContract, listing } from './listing.ts';

/** The two sources of a list: `whole` has all records, `open` the ones that need no permission. */
interface ListVariants<R, S> {
  whole: ListSource<R, S>;
  open: ListSource<R, S>;
}

/**
 * Declares the endpoint of a list that shows some records only with `permission`. Without it, pages, totals, windows and
 * errors reveal nothing about the other records. Because the caller is not known before authentication, early reads run
 * for both cases.
 */
export function restrictedListing<P extends TProperties, S, K extends TSchema>(
  permission: Permission,
  contract: ListingContract<P, S, 'account', K>,
  from: (input: RequestInput<Static<K>>) => ListVariants<Static<TObject<P>>, S>,
) {
  const known = new WeakMap<object, ListVariants<Static<TObject<P>>, S>>();
  /** Creates the sources once per request, because both lists need them. */
  const partsOf = (input: RequestInput<Static<K>>) => {
    const parts = known.get(input) ?? from(input);
    known.set(input, parts);
    return parts;
  };
  const whole = listing(contract, (input) => partsOf(input).whole);
  const open = listing(contract, (input) => partsOf(input).open);
  const read: typeof whole.read = async (input) =>
    Promise.allSettled([whole.read?.(input), open.read?.(input)]);
  const decide: typeof whole.decide = async (request, early) => {
    const [list, index] = request.principal.permissions.has(permission) ? [whole, 0] : [open, 1];
    const seen = (early as PromiseSettledResult<unknown>[])[index];
    if (seen?.status === 'rejected') throw seen.reason;
    return list.decide(request, seen?.value);
  };
  return { ...whole, read, decide };
}
