import type { RequestInput } from '../../endpoints/endpoint.ts';
import { ApiError } from '../../errors.ts';
import { inParallel } from '../../table/in-parallel.ts';
import { merchants } from './store.ts';

/** The part of a request that reads or changes a merchant or one of its records. */
export type MerchantReader = Pick<RequestInput, 'account' | 'requireReach'>;

/**
 * Throws `not_found` unless the caller reaches the merchant, and `permission_denied` if the caller may not change it. Reads
 * the merchant's summary, but only for callers with a limited permission. Does not check that the merchant exists for others.
 */
export const requireReachedMerchant = (
  { account, requireReach }: MerchantReader,
  id: number,
): Promise<void> => requireReach('merchant', () => merchants.getSummary(account, id), id);

/** Returns the record of a merchant that `reading` returns, such as a note. Throws like `requireReachedMerchant`. */
export async function ofReachedMerchant<R>(
  input: MerchantReader & { params: { merchantId: number } },
  reading: Promise<R>,
): Promise<R> {
  const [, record] = await inParallel([requireReachedMerchant(input, input.params.merchantId), reading]);
  return record;
}

/**
 * Like `requireReachedMerchant`, for a merchant in the body of a request. Throws `merchant_unknown` instead of `not_found`, as
 * for an unknown merchant.
 */
export async function requireReachedTarget(input: MerchantReader, id: number | undefined): Promise<void> {
  if (id === undefined) return;
  try {
    await requireReachedMerchant(input, id);
  } catch (error) {
    throw error instanceof ApiError && error.code === 'not_found' ? new ApiError('merchant_unknown') : error;
  }
}
