import { certainSince, latestEvents } from '../events/log.ts';
import type { RecordId } from '../table/keys.ts';
import type { ListSource } from '../table/list-source.ts';
import { newestFirst } from '../table/read-index.ts';
import { applyView, type ListResult, pageOf, type View } from './list-view.ts';
import { showPage } from './page-bytes.ts';
import { recordsIn, updatedAtOf } from './read-changes.ts';

/** The most events that a request reads. A list with fewer records is sorted in memory. */
const mostEvents = 600;
/** A page reads more events than it has records, because some are about other records, or about the same one. */
const spareEvents = 25;
/** Records beyond the page, because the order of the last ones is certain only if earlier changes are known. */
const spareRecords = 5;

/**
 * Reads a page of a list that is sorted by `-updatedAt`, with the newest events of the event log: each change of a record has
 * an event. The cost depends on the end of the page, and on the events about other records. Returns undefined for another
 * order, for a short list, and if so many events are not enough.
 */
export async function readLastChanged<R, S>(
  source: ListSource<R, S>,
  view: View<S>,
): Promise<ListResult<R> | undefined> {
  const { index } = source;
  const { lastChanged, page, pageSize } = view;
  const end = page * pageSize;
  if (!index || !lastChanged || end > mostEvents) return undefined;
  const total = await source.total();
  if (total <= mostEvents) return undefined;
  const seen = new Set<RecordId>();
  const found: { record: S; position: string }[] = [];
  let before: number | undefined;
  for (let read = 0; read < mostEvents; ) {
    const events = await latestEvents(lastChanged.account, { before, limit: end + spareEvents });
    const last = recordsIn(events, lastChanged, end + spareRecords);
    const ids = [...last.changed.keys()].filter((id) => !seen.has(id));
    for (const id of ids) seen.add(id);
    found.push(...(await index.load(ids)).filter((one) => one !== undefined));
    read += last.read;
    before = events[last.read - 1]?.id;
    if (before === undefined) return undefined;
    // A record without an event among these can have changed until this time.
    const since = certainSince(before);
    const certain = found.filter(({ record }) => updatedAtOf(record) > since).sort(newestFirst);
    if (certain.length < Math.min(end, total)) continue;
    const records = certain.map(({ record }) => record);
    const { data } = applyView(records, { ...view, conditions: [] });
    return { page: await showPage(source, view, pageOf(data, total, page, pageSize)) };
  }
  return undefined;
}
