import { ApiError, busy } from '../errors.ts';
import type { ListSource } from '../table/list-source.ts';
import type { Bounds } from '../table/read.ts';
import { cursorOf, earlier } from './cursor.ts';
import { applyView, type ListResult, meets, type Page, pageOf, type View } from './list-view.ts';
import { bytesOf, checkSize, fittingCount, tooLarge } from './page-bytes.ts';
import { pageOfChanges } from './read-changes.ts';
import { readFound } from './read-found.ts';
import { readRanked } from './read-ranked.ts';

/**
 * The window of a list: its newest records, up to these limits. The window is smaller if half of the time until the
 * deadline is not enough to read them. Filters, searches and pages cover only the window.
 */
const listWindow = { records: 10_000, bytes: 8 * 1024 * 1024 };

/**
 * Reads a page of a list. For a plain view (newest first, unfiltered), only the records up to the end of the
 * page are read. For other views, the whole window is read. A page after the last record is empty, but
 * contains the totals. Throws `page_too_deep` for a page beyond the window and `page_too_large` for a page
 * that does not fit into a response.
 */
export async function readView<R, S>(
  source: ListSource<R, S>,
  view: View<S>,
  { plain, deadline }: { plain: boolean; deadline: number },
): Promise<ListResult<R>> {
  const show = async ({ data, ...counts }: Page<S>): Promise<Page<R>> => {
    const page = { ...counts, data: await source.show(data) };
    checkSize(page.data, view);
    return page;
  };
  const { certainBefore, ...created } = view.created;
  const bounds = { bytes: listWindow.bytes, until: (Date.now() + deadline) / 2, ...created };
  const { page, pageSize } = view;
  const { index } = source;
  if (index && view.changes && view.before !== undefined)
    return { page: await pageOfChanges({ ...source, index }, view, view.changes) };
  const found = plain
    ? undefined
    : ((await readRanked(source, view)) ?? (await readFound(source, view, bounds.until)));
  if (found) return found;
  if (view.before !== undefined) return { page: await readFrom(source, view, plain, bounds) };
  const beyondWindow = page * pageSize > listWindow.records;
  if (!plain) {
    const { items, cut } = await source.newest({ ...bounds, limit: listWindow.records + 1 });
    const looked = items.slice(0, listWindow.records);
    const window = cut || items.length > looked.length ? looked.length : undefined;
    if (beyondWindow && window !== undefined) throw new ApiError('page_too_deep');
    return { page: await show(applyView(looked, view)), window };
  }
  const before = (page - 1) * pageSize;
  const [{ items, cut }, total] = await Promise.all([
    // Reads one record even if the page is beyond the window: the read throws `not_found` if the list's parent
    // does not exist.
    source.newest({ ...bounds, limit: beyondWindow ? 1 : page * pageSize }),
    source.total(),
  ]);
  if (cut === 'time') throw busy();
  if ((beyondWindow || cut) && before < total) {
    if (items.length <= before) throw new ApiError('page_too_deep');
    throw tooLarge(view, (size) => before + size <= items.length);
  }
  return { page: await show(pageOf(items.slice(before), total, page, pageSize)) };
}

/** The read limits of a filtered request with a cursor, which the rate limit counts as one call. */
const cursorWindow = { records: 1000, bytes: 1024 * 1024 };

/**
 * Reads the records after a cursor, newest first. The page contains fewer records than `pageSize` if the read
 * limits are reached first, or if the records would not fit into a response. The total counts all records that
 * match the index filters, whether or not they match the other filters.
 */
async function readFrom<R, S>(
  source: ListSource<R, S>,
  view: View<S>,
  plain: boolean,
  bounds: Bounds,
): Promise<Page<R>> {
  const { before, pageSize } = view;
  const matches = meets(view);
  const limits = plain ? { limit: pageSize + 1 } : { limit: cursorWindow.records, bytes: cursorWindow.bytes };
  const [{ items, positions = [], next }, total] = await Promise.all([
    source.newest({ ...bounds, ...limits, before: earlier(before ?? '', bounds.before) }),
    source.total(),
  ]);
  const matching = items.flatMap((record, index) =>
    matches(record) ? [{ record, position: positions[index] }] : [],
  );
  const shown = await source.show(matching.slice(0, pageSize).map(({ record }) => record));
  const data = shown.slice(0, fittingCount(shown.map(bytesOf)));
  const position = data.length < matching.length ? matching[data.length - 1]?.position : next;
  const nextCursor = position === undefined ? null : cursorOf(position);
  return { ...pageOf(data, total, 1, pageSize), nextCursor };
}
