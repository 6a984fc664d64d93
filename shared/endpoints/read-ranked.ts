import type { ListSource } from '../table/list-source.ts';
import { applyView, type ListResult, pageOf, type View } from './list-view.ts';
import { checkSize } from './page-bytes.ts';
import { newestRecords } from './read-found.ts';

/** The index reads at most this many items of each value. Later pages are sorted in memory. */
const mostItems = 1000;

/**
 * Reads a page in the order of a field with a fixed list of values, such as the priority: the records of the first value,
 * newest first, then those of the next value. The cost depends only on the end of the page. A short list is sorted in memory.
 * Returns undefined if the index cannot do this, and for a page that contains records without a value.
 */
export async function readRanked<R, S>(
  source: ListSource<R, S>,
  view: View<S>,
): Promise<ListResult<R> | undefined> {
  const { index } = source;
  const { page, pageSize, isRanked, unbuilt, order } = view;
  const [{ field, ranks = [], descending } = { field: undefined, descending: false }] = order;
  const [start, end] = [(page - 1) * pageSize, page * pageSize];
  const limit = end + newestRecords;
  if (!index || !isRanked || field === undefined || limit > mostItems) return undefined;
  const values = descending ? ranks.toReversed() : ranks;
  const [newest, total, ...groups] = await Promise.all([
    source.newest({ limit: newestRecords, before: '' }),
    source.total(),
    ...values.map((value) =>
      index.read({ words: [], filters: [{ field, values: [value] }], unbuilt }, { limit }),
    ),
  ]);
  const { next } = newest;
  if (next === undefined) {
    const { data, ...counts } = applyView(newest.items, view);
    return { page: { ...counts, data: await source.show(data) } };
  }
  const places = groups.flatMap((group, n) => [
    ...newest.items.filter((record) => record[field] === values[n]).map((record) => ({ record })),
    ...(group?.found ?? [])
      .filter(({ position }) => position < next)
      .map(({ id }) => ({ id, value: values[n] })),
  ]);
  if (groups.includes(undefined) || places.length < Math.min(end, total)) return undefined;
  const shown = places.slice(start, end);
  const unread = shown.flatMap((place) => ('id' in place ? [place] : []));
  const read = await index.load(unread.map(({ id }) => id));
  const records = new Map(unread.map(({ id }, n) => [id, read[n]?.record]));
  const data = shown.flatMap((place): S[] => {
    if ('record' in place) return [place.record];
    const record = records.get(place.id);
    return record?.[field] === place.value && record !== undefined ? [record] : [];
  });
  // A record was changed after its index item.
  if (data.length < shown.length) return undefined;
  const result = pageOf(await source.show(data), total, page, pageSize);
  checkSize(result.data, view);
  return { page: result };
}
