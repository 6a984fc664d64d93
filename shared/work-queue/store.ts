import { type Due, dueAcrossAccountsKey } from '../table/due-keys.ts';
import type { Item } from '../table/item.ts';
import { recordOf } from '../table/item.ts';
import type { TransactItem } from '../table/operations.ts';
import { getItem, getItems, queryItems } from '../table/read.ts';
import {
  newRevision,
  putRevised,
  type RevisedItem,
  reviseUnconditionally,
  setRevised,
} from '../table/revised-item.ts';
import type { Backlog } from './backlog.ts';
import { type Entry, entryIn, type Pointer, pointerIn } from './entry.ts';
import { freshHead, type Head, sweptNext } from './head.ts';
import { backlogEntryKey, backlogHeadKey, backlogPartition, headAndOpenRange } from './keys.ts';

/** The noun by which backlogs stand in the index of what is due. */
export const backlogNoun = 'BACKLOG';

/** The state of a backlog as it was read; without a revision there is none so far. */
export interface StoredHead {
  head: Head;
  revision?: string;
}

const headIn = (item: Item | undefined): StoredHead => {
  if (!item) return { head: freshHead };
  const { revision, ...head } = recordOf<Head & { revision: string }>(item);
  return { head: { ...freshHead, ...head }, revision };
};

export const readHead = async ({ account, name }: Backlog): Promise<StoredHead> =>
  headIn(await getItem(backlogHeadKey(account, name)));

/** The state and the first pointers, the oldest due first: at most `limit` of both together. */
export async function readPointers(
  { account, name }: Backlog,
  limit: number,
): Promise<StoredHead & { pointers: Pointer[] }> {
  const query = { partition: backlogPartition(account, name), sortKey: headAndOpenRange, limit };
  const items = await queryItems(query);
  const pointers = items.map(pointerIn).filter((pointer) => pointer !== undefined);
  return { ...headIn(items.find((item) => !pointerIn(item))), pointers };
}

/** The entries of these pointers, in their order; undefined where one is missing or has expired. */
export async function readEntries<C>(
  { account, name }: Backlog,
  pointers: readonly Pointer[],
  now: Date,
): Promise<(Entry<C> | undefined)[]> {
  const items = await getItems(pointers.map(({ id }) => backlogEntryKey(account, name, id)));
  return items.map((item) => entryIn<C>(item, now));
}

/** Writes a state in the place of the one that was read; undefined where another came first. */
export async function writeHead(
  backlog: Backlog,
  head: Head,
  before: StoredHead,
): Promise<StoredHead | undefined> {
  const item = headItem(backlog, head);
  return (await putRevised(item, before.revision)) ? { head, revision: item.revision } : undefined;
}

function headItem({ account, name }: Backlog, head: Head): RevisedItem {
  const { sweepAt } = head;
  return {
    ...backlogHeadKey(account, name),
    type: 'backlog',
    ...head,
    ...(sweepAt !== undefined && placeOf({ account, name }, sweepAt)),
    revision: newRevision(),
  };
}

const placeOf = ({ account, name }: Backlog, at: string) =>
  dueAcrossAccountsKey({ account, noun: backlogNoun, id: name, at });

/**
 * The write of a call that has not read the state: whatever it is, there may be something to do at once. A pause goes on, but for what
 * was `asked` for.
 */
export function calledBlindly(backlog: Backlog, now: Date, asked = false): TransactItem {
  const sweepAt = sweptNext(now);
  return reviseUnconditionally(backlogHeadKey(backlog.account, backlog.name), {
    type: 'backlog',
    wanted: true,
    due: now.toISOString(),
    sweepAt,
    ...(asked && { asked }),
    ...placeOf(backlog, sweepAt),
  });
}

/** Moves a backlog that is due on; undefined where somebody did before. */
export async function moveOn(backlog: Backlog, { at }: Due, now: Date): Promise<Head | undefined> {
  const sweepAt = sweptNext(now);
  const item = await setRevised(
    backlogHeadKey(backlog.account, backlog.name),
    { sweepAt, ...placeOf(backlog, sweepAt) },
    { attribute: 'sweepAt', was: at },
  );
  return item && headIn(item).head;
}
