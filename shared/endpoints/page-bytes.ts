import { ApiError } from '../errors.ts';
import type { View } from './list-view.ts';

/** Lambda limits a response to 6 MB. */
const largestPage = 5 * 1024 * 1024;

/** Throws `page_too_large` if the records do not fit into a response. */
export function checkSize(records: readonly unknown[], view: Pick<View<unknown>, 'page' | 'pageSize'>): void {
  if (bytesOf(records) <= largestPage) return;
  const sizes = records.map(bytesOf);
  throw tooLarge(view, (size) =>
    sizes.every((_, start) => start % size > 0 || sum(sizes.slice(start, start + size)) <= largestPage),
  );
}

/**
 * Returns how many records of these sizes fit into one response. The first record always counts, even if it
 * is too large.
 */
export function fittingCount(sizes: readonly number[]): number {
  let left = largestPage;
  const firstTooLarge = sizes.findIndex((size, index) => {
    left -= size;
    return left < 0 && index > 0;
  });
  return firstTooLarge === -1 ? sizes.length : firstTooLarge;
}

export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const sum = (numbers: readonly number[]): number => numbers.reduce((total, next) => total + next, 0);

/**
 * Returns an error with the largest page size that fits into a response, and with the number of the page that
 * starts at the same record for this page size.
 */
export function tooLarge(
  { page, pageSize }: Pick<View<unknown>, 'page' | 'pageSize'>,
  fits: (size: number) => boolean,
): ApiError {
  const sizes = Array.from({ length: pageSize - 1 }, (_, n) => pageSize - 1 - n);
  const size = sizes.find((candidate) => pageSize % candidate === 0 && fits(candidate)) ?? 1;
  const from = (page - 1) * (pageSize / size) + 1;
  return new ApiError('page_too_large', {
    message: `These records are too large for one page. Use pageSize=${size}, starting at page=${from}.`,
  });
}
