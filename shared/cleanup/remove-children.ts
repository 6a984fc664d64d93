import type { Event } from '../events/envelope.ts';
import { deleteAll } from '../table/batch-write.ts';
import { isTombstone } from '../table/item.ts';
import { childPartition, recordKey } from '../table/keys.ts';
import { getItem, queryItems } from '../table/read.ts';
import { parents } from './parents.ts';

/** So many children are read and deleted at a time. */
const pageSize = 500;

/**
 * Removes the children of the record that was deleted. They are complete when its event arrives: a child is added only
 * while its parent is there. Returns whether none is left. Throws where the record was not deleted after all.
 */
export async function removeChildren({ accountId, kind, subject: { type, id } }: Event): Promise<boolean> {
  const parent = parents[type];
  if (!parent) throw new Error(`${kind} is about a ${type}, which has no children.`);
  const record = await getItem(recordKey(accountId, parent.noun, id));
  if (!record || !isTombstone(record)) throw new Error(`The ${type} ${id} of ${kind} was not deleted.`);
  const partitions = parent.childKinds.map((kind) =>
    childPartition({ account: accountId, parent: parent.noun, parentId: id, kind }),
  );
  const emptied = await Promise.all(partitions.map(emptyPartition));
  return !emptied.includes(false);
}

/** Deletes all items of a partition, page after page; returns whether it could. */
async function emptyPartition(partition: string): Promise<boolean> {
  for (;;) {
    const items = await queryItems({ partition, limit: pageSize });
    const left = await deleteAll(items);
    if (left.length > 0) return false;
    if (items.length < pageSize) return true;
  }
}
