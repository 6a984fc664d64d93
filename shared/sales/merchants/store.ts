import { ApiError, invalid, notFound } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { childTotalsKey } from '../../table/keys.ts';
import { checkPresent, type Write } from '../../table/operations.ts';
import { getItem } from '../../table/read.ts';
import { recordStore } from '../../table/record-store.ts';
import { indexRowWrites } from '../duplicate-detection/index-rows.ts';
import { mids } from '../mids/store.ts';
import { merchantEventFields, merchantSubject } from './event-fields.ts';
import { indexedMerchantFields } from './indexed-fields.ts';
import { blindValuesOfMerchant } from './sensitive-values.ts';
import { showMerchant } from './show-merchant.ts';
import type { StoredMerchant } from './stored-merchant.ts';
import { largestMerchantSummary, type MerchantSummary, summarizeMerchant } from './summarize-merchant.ts';

const records = recordStore<StoredMerchant, 'merchant', MerchantSummary>({
  resource: 'merchant',
  children: true,
  summary: summarizeMerchant,
  largestSummary: largestMerchantSummary,
  indexedFields: indexedMerchantFields,
});

/** DynamoDB allows 100 operations per transaction. Four of them write the record, summary, event and event counter. */
const mostIndexRows = 96;

/**
 * The merchants of an account. Each merchant has an item, a summary item, and a row in the duplicate index for each
 * compared value. One transaction writes all of these.
 */
export const merchants = {
  ...records,

  ...merchantSubject,
  show: showMerchant,
  forEvents: merchantEventFields,

  insert: (merchant: StoredMerchant): Write[] => [
    ...records.insert(merchant),
    ...indexRows(merchant, undefined, merchant),
  ],

  /** Returns no writes if the two states are the same object. */
  replace: (before: StoredMerchant, after: StoredMerchant): Write[] =>
    before === after ? [] : [...records.replace(before, after), ...indexRows(after, before, after)],

  /** Replaces the record with a tombstone. Throws `merchant_has_mids` if the merchant has MIDs. */
  delete: (merchant: StoredMerchant, now: Date): Write[] => [
    ...records.delete(merchant, now),
    ...indexRows(merchant, merchant, undefined),
    mids.noneOf(merchant.accountId, merchant.id, new ApiError('merchant_has_mids')),
  ],

  /** Throws `not_found` unless the merchant exists. Reads only the small item with the totals of its children. */
  async require(account: AccountId, id: number): Promise<void> {
    if (!(await getItem(lifeKey(account, id)))) throw notFound('merchant', id);
  },

  /** Fails the transaction with `otherwise` if the merchant does not exist. Does not check the merchant's version. */
  requireExists: (account: AccountId, id: number, otherwise = notFound('merchant', id)): Write =>
    checkPresent(lifeKey(account, id), otherwise),

  /** Like `requireExists`, for the merchant of a changed child. Returns no writes if the child did not change. */
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
  const [was, is] = [before ? blindValuesOfMerchant(before) : [], after ? blindValuesOfMerchant(after) : []];
  // A value that was encrypted again counts as new, even if it is equal to the stored value. Otherwise, the error below
  // would show callers without read permission whether a guessed value is right.
  const encrypted = (values: typeof was) => values.map((one) => ({ ...one, blind: one.blind + one.jwe }));
  if (indexRowWrites(holder, encrypted(was), encrypted(is)).length > mostIndexRows)
    throw invalid(
      'principals',
      'have too many new social security numbers for one request: send some of them in a second request',
    );
  return indexRowWrites(holder, was, is);
}
