import type { AccountId } from '../../id/account-id.ts';
import { inParallel } from '../../table/in-parallel.ts';
import type { ListSource } from '../../table/list-source.ts';
import type { Bounds, QueryResult } from '../../table/read.ts';
import { merchants } from './store.ts';

/** The source of a list of what belongs to a merchant: `not_found` where there is no such merchant. */
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

/** The same for one kind of a merchant's children, as the API shows them: filters and sorts go by what it shows. */
export function shownChildListOf<R, S>(
  account: AccountId,
  merchantId: number,
  store: ChildrenStore<R, S>,
): ListSource<R> {
  const { newest, total } = store.listOf(account, merchantId);
  return childListOf(account, merchantId, {
    newest: async (bounds) => {
      const { items, cut } = await newest(bounds);
      return { items: items.map((record) => store.show(record)), cut };
    },
    total,
    show: async (page) => page,
  });
}
