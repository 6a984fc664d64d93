import { ApiError } from '../errors.ts';
import type { ListSource } from '../table/list-source.ts';
import type { Page, View } from './list-view.ts';

/** Lambda limits a response to 6 MB. */
const largestPage = 5 * 1024 * 1024;

/** Converts the records of a page for the response. Throws `page_too_large` if they do not fit into one. */
export async function showPage<R, S>(
  { show }: Pick<ListSource<R, S>, 'show'>,
  view: View<S>,
  { data, ...counts }: Page<S>,
): Promise<Page<R>> {
  const shown = await show(data);
  checkSize(shown, view);
  return { ...counts, data: shown };
}

/** Converts records for the response. Returns the first ones that fit into one; the first record always does. */
export async function showFitting<R, S>(
  { show }: Pick<ListSource<R, S>, 'show'>,
  records: S[],
): Promise<R[]> {
  const shown = await show(records);
  return shown.slice(0, fittingCount(shown.map(bytesOf)));
}

function checkSize(records: readonly unknown[], view: Pick<View<unknown>, 'page' | 'pageSize'>): void {
  if (bytesOf(records) <= largestPage) return;
  const sizes = records.map(bytesOf);
  throw tooLarge(view, (size) =>
    sizes.every((_, start) => start % size > 0 || sum(sizes.slice(start, start + size)) <= largestPage),
  );
}

/** Returns how many records of these sizes fit into one response. The first record counts even if it is too large. */
function fittingCount(sizes: readonly number[]): number {
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
