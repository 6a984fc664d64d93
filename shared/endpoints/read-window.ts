import { ApiError } from '../errors.ts';
import type { ListSource } from '../table/list-source.ts';
import { applyView, type ListResult, type View } from './list-view.ts';
import { showPage } from './page-bytes.ts';
import { listWindow, pageAfterCursor } from './read-newest.ts';

/** The read limits of a request with a cursor, which the rate limit counts as one call. */
const cursorWindow = { limit: 1000, bytes: 1024 * 1024 };

/**
 * Reads the window of a list, and filters, searches and sorts it in memory. The window contains the newest records, up to
 * the limits of `listWindow`. It is smaller if half of the time until the deadline is not enough to read them. Throws
 * `page_too_deep` for a page beyond the window.
 */
export async function readWindow<R, S>(
  source: ListSource<R, S>,
  view: View<S>,
  until: number,
): Promise<ListResult<R>> {
  const { certainBefore, ...created } = view.created;
  if (view.before !== undefined)
    return { page: await pageAfterCursor(source, view, { ...created, ...cursorWindow, until }) };
  const { records, bytes } = listWindow;
  const { items, cut } = await source.newest({ ...created, bytes, until, limit: records + 1 });
  const read = items.slice(0, records);
  const window = cut || items.length > read.length ? read.length : undefined;
  if (view.page * view.pageSize > records && window !== undefined) throw new ApiError('page_too_deep');
  return { page: await showPage(source, view, applyView(read, view)), window };
}
