import { filterBy } from '../../endpoints/listing.ts';
import type { AccountId } from '../../id/account-id.ts';
import { array, string } from '../../schema.ts';
import { type ListSource, shortListSource } from '../../table/list-source.ts';
import { mids } from '../mids/store.ts';
import type { Merchant } from './schema.ts';
import { merchants } from './store.ts';
import { summarizeMerchant } from './summarize-merchant.ts';

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
    const owners = await merchants.findMany(account, [...new Set(found.map(({ merchantId }) => merchantId))]);
    return owners.map(summarizeMerchant).sort((one, other) => other.id - one.id);
  });
