import { ApiError, busy } from '../errors.ts';
import type { ListSource } from '../table/list-source.ts';
import type { Bounds } from '../table/read.ts';
import { cursorOf, earlier } from './cursor.ts';
import { meets, type Page, pageOf, type View } from './list-view.ts';
import { showFitting, showPage, tooLarge } from './page-bytes.ts';

/** The most records and bytes of a list that a request without a cursor reads. */
export const listWindow = { records: 10_000, bytes: 8 * 1024 * 1024 };

/**
 * Reads a page of the newest or oldest records, which the table finds without reading others: only the records up to the end
 * of the page are read. Throws `page_too_deep`, `page_too_large`, and `busy` if half of the time until the deadline is not
 * enough.
 */
export async function readNewest<R, S>(
  source: ListSource<R, S>,
  view: View<S>,
  until: number,
): Promise<Page<R>> {
  const { page, pageSize, oldestFirst } = view;
  const bounds = { bytes: listWindow.bytes, until };
  if (view.before !== undefined) return pageAfterCursor(source, view, { ...bounds, limit: pageSize + 1 });
  const isBeyondWindow = page * pageSize > listWindow.records;
  const start = (page - 1) * pageSize;
  const [{ items, cut }, total] = await Promise.all([
    // Reads one record even if the page is beyond the window: the read throws `not_found` if the list's parent
    // does not exist.
    source.newest({ ...bounds, oldestFirst, limit: isBeyondWindow ? 1 : page * pageSize }),
    source.total(),
  ]);
  if (cut === 'time') throw busy();
  if ((isBeyondWindow || cut) && start < total) {
    if (items.length <= start) throw new ApiError('page_too_deep');
    throw tooLarge(view, (size) => start + size <= items.length);
  }
  return showPage(source, view, pageOf(items.slice(start), total, page, pageSize));
}

/**
 * Reads the records after a cursor, newest first, and compares them with the request. The page contains fewer records than
 * `pageSize` if the bounds are reached first, or if the records would not fit into a response. The total counts all records
 * that match the filters of the table, whether or not they match the other filters.
 */
export async function pageAfterCursor<R, S>(
  source: ListSource<R, S>,
  view: View<S>,
  bounds: Bounds,
): Promise<Page<R>> {
  const { before = '', pageSize } = view;
  const matches = meets(view);
  const [{ items, positions = [], next }, total] = await Promise.all([
    source.newest({ ...bounds, before: earlier(before, bounds.before) }),
    source.total(),
  ]);
  const matching = items.flatMap((record, n) =>
    matches(record) ? [{ record, position: positions[n] }] : [],
  );
  const data = await showFitting(
    source,
    matching.slice(0, pageSize).map(({ record }) => record),
  );
  const position = data.length < matching.length ? matching[data.length - 1]?.position : next;
  const nextCursor = position === undefined ? null : cursorOf(position);
  if (view.reach)
    return {
      ...pageOf(data, data.length, 1, pageSize),
      ...(!(before === '' && nextCursor === null) && { totalIsLowerBound: true }),
      nextCursor,
    };
  return { ...pageOf(data, total, 1, pageSize), nextCursor };
}
