import { eventsFrom } from '../../events/log.ts';
import type { AccountId } from '../../id/account-id.ts';
import { keyWord } from '../../resources/key-word.ts';
import { listPositionOf, recordsWith } from '../../table/index-items.ts';
import type { RecordId } from '../../table/keys.ts';
import { queryWithin } from '../../table/read.ts';
import type { OwnedType } from './schema.ts';

// The search index finds the applications and merchants of an owner. An entry of the index `holder` would cost every change of
// these records one to four write units, a counter of each owner two more, and records without such an entry would have to be
// written again. Only reassignments would use them. The search index is about a second behind the records. Therefore, a
// reassignment also reads the events of the time in which a change may not have reached the index.

/** The most records of an owner that are counted. */
const mostOwned = 1000;

/** Returns the ids of a page of the records of an owner, newest first. `next` is the position after the page. */
export async function readOwned(
  account: AccountId,
  type: OwnedType,
  owner: string,
  { before, limit }: { before: string; limit: number },
): Promise<{ ids: RecordId[]; next?: string }> {
  const range = recordsWith(account, keyWord(type), { field: 'ownerId', value: owner, before });
  const { items } = await queryWithin({ ...range, eventual: true }, { limit: limit + 1 });
  const page = items.slice(0, limit);
  const last = page.at(-1);
  return {
    ids: page.map(({ id }) => id as RecordId),
    ...(items.length > limit && last && { next: listPositionOf(last) }),
  };
}

/** Counts the records of an owner, at most 1,000. */
export const countOwned = async (account: AccountId, type: OwnedType, owner: string): Promise<number> =>
  (await readOwned(account, type, owner, { before: '', limit: mostOwned })).ids.length;

/** Returns the ids of the records of these types that a page of the event log is about. `next` is the id of its last event. */
export async function readChanged(
  account: AccountId,
  types: readonly OwnedType[],
  { since, before, limit }: { since: string; before: string; limit: number },
): Promise<{ ids: Map<OwnedType, Set<RecordId>>; next?: string }> {
  const after = before === '' ? undefined : Number(before);
  const events = await eventsFrom(account, { since, after, limit });
  const ids = new Map(types.map((type) => [type, new Set<RecordId>()]));
  for (const { subject } of events) ids.get(subject.type as OwnedType)?.add(subject.id);
  const last = events.at(-1);
  return { ids, ...(events.length === limit && last && { next: String(last.id) }) };
}
