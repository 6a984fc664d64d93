import type { ListSource } from '../table/list-source.ts';
import { foundInTable, loader } from './found-records.ts';
import { applyView, type ListResult, pageOf, type View } from './list-view.ts';
import { showPage } from './page-bytes.ts';
import { newestRecords } from './read-indexed.ts';

/** The index reads at most this many items of each value. Later pages are sorted in memory. */
const mostItems = 1000;

/**
 * Reads a page in the order of a field with a fixed list of values, such as the priority: the records of the first value,
 * newest first, then those of the next value. The cost depends only on the end of the page. A short list is sorted in
 * memory. Returns undefined if the index cannot do this, and for a page that contains records without a value.
 */
export async function readRanked<R, S>(
  source: ListSource<R, S>,
  view: View<S>,
): Promise<ListResult<R> | undefined> {
  const { index } = source;
  const { page, pageSize, unbuilt } = view;
  const [by] = view.order;
  const [start, end] = [(page - 1) * pageSize, page * pageSize];
  const limit = end + newestRecords;
  if (!index || !view.isRanked || !by || limit > mostItems) return undefined;
  const { field, ranks = [], descending } = by;
  const values = descending ? ranks.toReversed() : ranks;
  const [newest, total, ...groups] = await Promise.all([
    source.newest({ limit: newestRecords, before: '' }),
    source.total(),
    ...values.map((value) =>
      index.read({ words: [], filters: [{ field, values: [value] }], unbuilt }, { limit }),
    ),
  ]);
  const { items, next } = newest;
  if (next === undefined) return { page: await showPage(source, view, applyView(items, view)) };
  const found = values.flatMap((value, n) => [
    ...items
      .filter((record) => record[field] === value)
      .map((record) => ({ ...foundInTable(record), value })),
    ...(groups[n]?.found ?? [])
      .filter(({ position }) => position < next)
      .map((one) => ({ ...one, isSure: true, value })),
  ]);
  if (groups.includes(undefined) || found.length < Math.min(end, total)) return undefined;
  const shown = found.slice(start, end);
  const records = await loader(index, () => true)(shown);
  const isCurrent = records.every(({ record }, n) => record?.[field] === shown[n]?.value);
  // Otherwise, a record was changed after its index item.
  if (records.length < shown.length || !isCurrent) return undefined;
  const data = records.map(({ record }) => record);
  return { page: await showPage(source, view, pageOf(data, total, page, pageSize)) };
}
