import { eventsFrom } from '../events/log.ts';
import { searchedRecord } from '../events/subject.ts';
import type { RecordId } from '../table/keys.ts';
import type { ListSource } from '../table/list-source.ts';
import { newestFirst, type RecordIndex } from '../table/read-index.ts';
import { cursorOf } from './cursor.ts';
import { foundInTable, loader, pageInOrder } from './found-records.ts';
import { type ChangesSince, type ListResult, meets, type Page, pageOf, type View } from './list-view.ts';
import { showFitting } from './page-bytes.ts';

/** The most events that a request reads. An event usually has about 1 KB, so this is about 40 read units. */
const mostEvents = 150;
/** A page reads more events than it has records, because some events are about other records. */
const spareEvents = 50;

/** The events about a record. */
interface ChangedRecord {
  /** The id of the last event. */
  last: number;
  /** The latest time of the events. It is not earlier than `updatedAt`, unless later events exist. */
  at: string;
}

/**
 * Reads a page of the records that changed after a time, with the event log. Returns undefined if the request has no such
 * time, or if a request without a cursor would read too many events.
 */
export async function readChanges<R, S>(
  source: ListSource<R, S>,
  view: View<S>,
  until: number,
): Promise<ListResult<R> | undefined> {
  const { index } = source;
  const { changes } = view;
  if (!index || !changes) return undefined;
  if (view.before !== undefined) return { page: await pageOfChanges(source, index, view, changes) };
  const { events, isEnd } = await readEvents(changes, { limit: mostEvents });
  if (!isEnd) return undefined;
  const listed = await index.load([...recordsIn(events, changes).changed.keys()]);
  const matches = meets(view);
  const found = listed
    .flatMap((one) =>
      one && matches(one.record) ? [foundInTable(one.record, one.position, view.rankOf?.(one.record))] : [],
    )
    .sort(newestFirst);
  const candidates = { isComplete: true, order: 'position' } as const;
  return pageInOrder(source, view, { found, candidates, load: loader(index, matches) }, until);
}

/**
 * Returns a page of changed records, in the order of their last change. The position in the cursor is the id of the last
 * event that was read. A page reads a limited number of events, so it can be short or empty.
 *
 * A record that changes during the walk has an event after this position, and is returned then. A change can be missing if
 * another process created its event before the last event of a page, but stored it after the page was read. The next
 * synchronization returns this change: as the reference says, it sets `updatedAfter` to the start of this one minus one
 * minute, and an event is stored at most a minute after `updatedAt`.
 */
async function pageOfChanges<R, S>(
  source: ListSource<R, S>,
  index: RecordIndex<S>,
  view: View<S>,
  changes: ChangesSince,
): Promise<Page<R>> {
  const { before = '', pageSize } = view;
  const matches = meets(view);
  const after = before === '' ? undefined : Number(before);
  const limit = Math.min(mostEvents, pageSize + spareEvents);
  const { events, isEnd } = await readEvents(changes, { after, limit });
  const { changed, read } = recordsIn(events, changes, pageSize);
  const records = await index.load([...changed.keys()]);
  const matching = [...changed.values()].flatMap(({ last, at }, n) => {
    const record = records[n]?.record;
    const isLatest = record !== undefined && updatedAtOf(record) <= at;
    return isLatest && matches(record) ? [{ record, last }] : [];
  });
  const data = await showFitting(
    source,
    matching.map(({ record }) => record),
  );
  const isAll = data.length === matching.length;
  const isLast = isAll && isEnd && read === events.length;
  const position = isAll ? events[read - 1]?.id : matching[data.length - 1]?.last;
  return {
    ...pageOf(data, data.length, 1, pageSize),
    ...(!(isLast && before === '') && { totalIsLowerBound: true }),
    nextCursor: isLast ? null : cursorOf(String(position), 'changes'),
  };
}

async function readEvents(
  { account, since }: ChangesSince,
  { after, limit }: { after?: number; limit: number },
) {
  const events = await eventsFrom(account, { after, since, limit: limit + 1 });
  return { events: events.slice(0, limit), isEnd: events.length <= limit };
}

/**
 * Returns the changed records that the events are about, at most `limit`, by their last event. `read` is the number of
 * events up to the limit.
 */
export function recordsIn(
  events: Awaited<ReturnType<typeof eventsFrom>>,
  { type, since = '' }: Pick<ChangesSince, 'type'> & { since?: string },
  limit = Number.POSITIVE_INFINITY,
): { changed: ReadonlyMap<RecordId, ChangedRecord>; read: number } {
  const changed = new Map<RecordId, ChangedRecord>();
  for (const [read, event] of events.entries()) {
    const { id: last, occurredAt } = event;
    const record = searchedRecord(event);
    if (record?.type !== type || occurredAt <= since) continue;
    const known = changed.get(record.id);
    if (!known && changed.size === limit) return { changed, read };
    changed.delete(record.id);
    changed.set(record.id, { last, at: known && known.at > occurredAt ? known.at : occurredAt });
  }
  return { changed, read: events.length };
}

export const updatedAtOf = (record: unknown): string => String((record as { updatedAt?: string }).updatedAt);
