import { ApiError, invalid, notFound } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { childTotalsKey } from '../../table/keys.ts';
import { checkPresent, type Write } from '../../table/operations.ts';
import { getItem } from '../../table/read.ts';
import { recordStore } from '../../table/record-store.ts';
import { indexRowWrites } from '../duplicate-detection/index-rows.ts';
import { mids } from '../mids/store.ts';
import { eventFieldsOf, merchantSubject } from './event-fields.ts';
import type { Merchant } from './schema.ts';
import { blindValuesOf } from './sensitive-values.ts';
import { showMerchant } from './show-merchant.ts';
import type { StoredMerchant } from './stored-merchant.ts';
import { summaryOf } from './summarize-merchant.ts';

const records = recordStore<StoredMerchant, 'merchant', Merchant>({
  noun: 'MERCHANT',
  subject: 'merchant',
  children: true,
  summary: summaryOf,
});

/** DynamoDB takes 100 operations at once; record, summary, event and its counter are the others. */
const mostIndexRows = 96;

/**
 * The merchants of an account: each one item with its summary beside it, and a row in the collision index for each value
 * that is compared. All of it is written in one transaction.
 */
export const merchants = {
  ...records,

  ...merchantSubject,
  show: showMerchant,
  forEvents: eventFieldsOf,

  insert: (merchant: StoredMerchant): Write[] => [
    ...records.insert(merchant),
    ...indexRows(merchant, undefined, merchant),
  ],

  /** The change from one state to the next; nothing where they are the same. */
  replace: (before: StoredMerchant, after: StoredMerchant): Write[] =>
    before === after ? [] : [...records.replace(before, after), ...indexRows(after, before, after)],

  /** Leaves the tombstone. Throws `merchant_has_mids` while it has any. */
  delete: (merchant: StoredMerchant, now: Date): Write[] => [
    ...records.delete(merchant, now),
    ...indexRows(merchant, merchant, undefined),
    mids.noneOf(merchant.accountId, merchant.id, new ApiError('merchant_has_mids')),
  ],

  /** Throws `not_found` unless the merchant is there. Of it no more is read than the item that lives as long as it does. */
  async require(account: AccountId, id: number): Promise<void> {
    if (!(await getItem(lifeKey(account, id)))) throw notFound('merchant', id);
  },

  /** Fails the transaction with `otherwise` unless the merchant is there, whatever becomes of its fields. */
  requireExists: (account: AccountId, id: number, otherwise = notFound('merchant', id)): Write =>
    checkPresent(lifeKey(account, id), otherwise),

  /** The same for the merchant of a child that changes; nothing where it does not. */
  requireParent<C extends { accountId: AccountId; merchantId: number }>(before: C, after: C): Write[] {
    return before === after ? [] : [merchants.requireExists(after.accountId, after.merchantId)];
  },
};

const lifeKey = (account: AccountId, id: number) => childTotalsKey(account, records.noun, id);

function indexRows(
  { accountId, id }: StoredMerchant,
  before: StoredMerchant | undefined,
  after: StoredMerchant | undefined,
): Write[] {
  const holder = { account: accountId, type: 'merchant', id } as const;
  const [was, is] = [before ? blindValuesOf(before) : [], after ? blindValuesOf(after) : []];
  // An equal value that was sealed again counts as another one. Otherwise the limit would confirm guesses.
  const sealed = (values: typeof was) => values.map((one) => ({ ...one, blind: one.blind + one.jwe }));
  if (indexRowWrites(holder, sealed(was), sealed(is)).length > mostIndexRows)
    throw invalid('principals', 'hold too many new social security numbers for one request: send some later');
  return indexRowWrites(holder, was, is);
}
