import type { AccountId } from '../../id/account-id.ts';
import { inParallel } from '../../table/in-parallel.ts';
import type { ListSource } from '../../table/list-source.ts';
import type { Bounds, QueryResult } from '../../table/read.ts';
import { type MerchantReader, requireReachedMerchant } from './reached-merchant.ts';
import { merchants } from './store.ts';

/** Wraps a list source so that reads throw `not_found` if the merchant does not exist, or the caller does not reach it. */
export const childListOf = <R, S>(
  input: MerchantReader,
  merchantId: number,
  source: ListSource<R, S>,
): ListSource<R, S> => ({
  ...source,
  newest: async (bounds: Bounds): Promise<QueryResult<S>> => {
    const [, , found] = await inParallel([
      merchants.require(input.account, merchantId),
      requireReachedMerchant(input, merchantId),
      source.newest(bounds),
    ]);
    return found;
  },
});

interface ChildrenStore<R, S> {
  listOf(account: AccountId, merchantId: number): ListSource<S>;
  show(record: S): R;
}

/** Like `childListOf`, for children whose API form differs from the stored form. Filters and sorts by the API form. */
export function shownChildListOf<R, S>(
  input: MerchantReader,
  merchantId: number,
  store: ChildrenStore<R, S>,
): ListSource<R> {
  const { newest, total } = store.listOf(input.account, merchantId);
  return childListOf(input, merchantId, {
    newest: async (bounds) => {
      const found = await newest(bounds);
      return { ...found, items: found.items.map((record) => store.show(record)) };
    },
    total,
    show: async (page) => page,
  });
}
