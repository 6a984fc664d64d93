import { filterBy } from '../../endpoints/listing.ts';
import type { AccountId } from '../../id/account-id.ts';
import { array, string } from '../../schema.ts';
import { type ListSource, shortListSource } from '../../table/list-source.ts';
import { newestFirst } from '../../table/read-index.ts';
import { mids } from '../mids/store.ts';
import type { Merchant } from './schema.ts';
import { merchants } from './store.ts';

/** The filter `mid`. The list's source must be `merchantsWithMids`. */
export const midFilter = {
  ...filterBy(
    array(string({ minLength: 1, maxLength: 32 }), {
      description: 'The numbers of MIDs, in any case. Finds the merchants that have them.',
    }),
    () => true,
  ),
  isAppliedBySource: true as const,
};

/** Returns the merchants that have MIDs with these numbers, newest first. */
export const merchantsWithMids = (account: AccountId, numbers: readonly string[]): ListSource<Merchant> =>
  shortListSource(async () => {
    const found = await mids.findNumbered(account, numbers);
    const ids = [...new Set(found.map(({ merchantId }) => merchantId))];
    const owners = (await merchants.listOf(account).index?.load(ids)) ?? [];
    return owners
      .filter((owner) => owner !== undefined)
      .sort(newestFirst)
      .map(({ record }) => record);
  });
