import { ApiError } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { StoredSecret } from '../../messaging/webhooks/schema.ts';
import { asSeconds, type Item, isExpired, recordOf } from '../../table/item.ts';
import {
  deleteIfVersion,
  putIfAbsent,
  putIfAbsentOrExpired,
  putIfVersion,
  type Write,
} from '../../table/operations.ts';
import { getItem } from '../../table/read.ts';
import { recordStore } from '../../table/record-store.ts';
import { providerKey, providerMessageKey } from '../keys.ts';
import type { PaymentProvider, UnmatchedPayment } from './schema.ts';

/** A provider as stored. `secrets` contains the current secret and, after a rotation, the previous secret. */
export interface StoredProvider extends Omit<PaymentProvider, 'previousSecretUntil'> {
  secrets: StoredSecret[];
}

const itemOf = (provider: StoredProvider): Item => ({
  ...providerKey(provider.accountId),
  type: 'payment-provider',
  ...provider,
});

/** The payment provider of an account. An account has at most one. */
export const providers = {
  async find(account: AccountId): Promise<StoredProvider | undefined> {
    const item = await getItem(providerKey(account));
    return item && recordOf<StoredProvider>(item);
  },

  /** Throws `not_found`. */
  async get(account: AccountId): Promise<StoredProvider> {
    const found = await this.find(account);
    if (!found) throw new ApiError('not_found', { message: 'The account has no payment provider.' });
    return found;
  },

  insert: (provider: StoredProvider): Write[] => [putIfAbsent(itemOf(provider))],

  replace: (before: StoredProvider, after: StoredProvider): Write[] =>
    before === after ? [] : [putIfVersion(itemOf(after), before.version)],

  delete: ({ accountId, version }: StoredProvider): Write[] => [
    deleteIfVersion(providerKey(accountId), version),
  ],
};

/** How long the ids of notifications are kept to detect duplicates, in milliseconds. */
const keptFor = 7 * 86_400_000;

/** Reports whether a notification with this id was accepted in the last seven days. */
export async function isKnownMessage(account: AccountId, messageId: string, now: Date): Promise<boolean> {
  const item = await getItem(providerMessageKey(account, messageId));
  return item !== undefined && !isExpired(item, now);
}

/** Marks a notification as accepted. Fails if another request accepted it first. */
export const acceptMessage = (account: AccountId, messageId: string, now: Date): Write =>
  putIfAbsentOrExpired(
    {
      ...providerMessageKey(account, messageId),
      type: 'provider-message',
      expiresAtSeconds: asSeconds(new Date(now.getTime() + keptFor)),
    },
    now,
  );

/** The notifications that could not be applied to an invoice. */
export const unmatchedPayments = recordStore<UnmatchedPayment, 'unmatched_payment'>({
  resource: 'unmatched_payment',
});
