import type { AccountId } from '../../id/account-id.ts';
import { inParallel } from '../../table/in-parallel.ts';
import type { ListSource } from '../../table/list-source.ts';
import type { Bounds, QueryResult } from '../../table/read.ts';
import { merchants } from './store.ts';

/** Wraps a list source so that reads throw `not_found` if the merchant does not exist. */
export const childListOf = <R, S>(
  account: AccountId,
  merchantId: number,
  source: ListSource<R, S>,
): ListSource<R, S> => ({
  ...source,
  newest: async (bounds: Bounds): Promise<QueryResult<S>> => {
    const [, found] = await inParallel([merchants.require(account, merchantId), source.newest(bounds)]);
    return found;
  },
});

interface ChildrenStore<R, S> {
  listOf(account: AccountId, merchantId: number): ListSource<S>;
  show(record: S): R;
}

/** Like `childListOf`, for children whose API form differs from the stored form. Filters and sorts by the API form. */
export function shownChildListOf<R, S>(
  account: AccountId,
  merchantId: number,
  store: ChildrenStore<R, S>,
): ListSource<R> {
  const { newest, total } = store.listOf(account, merchantId);
  return childListOf(account, merchantId, {
    newest: async (bounds) => {
      const found = await newest(bounds);
      return { ...found, items: found.items.map((record) => store.show(record)) };
    },
    total,
    show: async (page) => page,
  });
}
