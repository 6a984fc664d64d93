import type { Event } from '../../shared/events/envelope.ts';
import { deleteAll } from '../../shared/table/batch-write.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import { childPartition } from '../../shared/table/keys.ts';
import { queryItems } from '../../shared/table/read.ts';
import { deletedParent } from './deleted-parent.ts';

/** So many children are read and deleted at a time. */
const pageSize = 500;

/**
 * Removes the children of the record that was deleted. They are complete when its event arrives: a child is added only
 * while its parent is there. Throws while any is left, and where the record was not deleted after all.
 */
export async function removeChildren(event: Event, { deadline }: { deadline: number }): Promise<void> {
  const { noun: parent, childKinds } = await deletedParent(event);
  const of = { account: event.accountId, parent, parentId: event.subject.id };
  const partitions = childKinds.map((kind) => childPartition({ ...of, kind }));
  await inParallel(partitions.map((partition) => emptyPartition(partition, deadline)));
}

/** Deletes all items of a partition, page after page, until the deadline. */
async function emptyPartition(partition: string, deadline: number): Promise<void> {
  for (;;) {
    const items = await queryItems({ partition, limit: pageSize });
    const left = await deleteAll(items);
    if (left.length > 0) throw new Error('DynamoDB left children of a deleted record unprocessed.');
    if (items.length < pageSize) return;
    if (Date.now() >= deadline) throw new Error('A deleted record has more children than one run removes.');
  }
}
