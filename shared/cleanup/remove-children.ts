import type { Event } from '../events/envelope.ts';
import { deleteAll } from '../table/batch-write.ts';
import { childPartition } from '../table/keys.ts';
import { queryItems } from '../table/read.ts';
import { deletedParent } from './deleted-parent.ts';

/** So many children are read and deleted at a time. */
const pageSize = 500;

/**
 * Removes the children of the record that was deleted. They are complete when its event arrives: a child is added only
 * while its parent is there. Returns whether none is left. Throws where the record was not deleted after all.
 */
export async function removeChildren(event: Event): Promise<boolean> {
  const { noun: parent, childKinds } = await deletedParent(event);
  const of = { account: event.accountId, parent, parentId: event.subject.id };
  const partitions = childKinds.map((kind) => childPartition({ ...of, kind }));
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
