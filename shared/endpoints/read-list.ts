import type { ListSource } from '../table/list-source.ts';
import type { ListResult, View } from './list-view.ts';
import { readChanges } from './read-changes.ts';
import { readHeld } from './read-held.ts';
import { readIndexed } from './read-indexed.ts';
import { readLastChanged } from './read-last-changed.ts';
import { readNewest } from './read-newest.ts';
import { readRanked } from './read-ranked.ts';
import { readWindow } from './read-window.ts';

/**
 * Reads a page of a list. The first of these plans that can answer the request is used. Only the cost of the last one
 * depends on the length of the list:
 *
 * 1. `readNewest`: the table, for the newest or oldest records without other conditions
 * 2. `readHeld`: the table, for the newest records that are assigned to a caller who reaches no others
 * 3. `readChanges`: the event log, for the records that changed after a time
 * 4. `readRanked`: the search index, for all records in the order of a field with a fixed list of values
 * 5. `readLastChanged`: the event log, for all records in the order of their last changes
 * 6. `readIndexed`: the search index, for the records that match words and filters
 * 7. `readWindow`: a window of the newest records, which are compared in memory
 *
 * A page after the last record is empty, but contains the totals. Throws `page_too_deep` for a page that the plan does not
 * reach, and `page_too_large` for a page that does not fit into a response.
 */
export async function readList<R, S>(
  source: ListSource<R, S>,
  view: View<S>,
  deadline: number,
): Promise<ListResult<R>> {
  const until = (Date.now() + deadline) / 2;
  if (view.isPlain) return { page: await readNewest(source, view, until) };
  return (
    (await readHeld(source, view, until)) ??
    (await readChanges(source, view, until)) ??
    (await readRanked(source, view)) ??
    (await readLastChanged(source, view)) ??
    (await readIndexed(source, view, until)) ??
    readWindow(source, view, until)
  );
}
