import type { Event } from '../../shared/events/envelope.ts';
import { deleteAll } from '../../shared/table/batch-write.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import { childPartition } from '../../shared/table/keys.ts';
import { queryItems } from '../../shared/table/read.ts';
import { deletedParent } from './deleted-parent.ts';

/** The number of children read and deleted at a time. */
const pageSize = 500;

/**
 * Removes the children of a deleted record. No child can be added after the deletion, so all of them are found. Throws if
 * some are left or the record was not deleted.
 */
export async function removeChildren(event: Event, { deadline }: { deadline: number }): Promise<void> {
  const { noun: parent, childKinds } = await deletedParent(event);
  const of = { account: event.accountId, parent, parentId: event.subject.id };
  const partitions = childKinds.map((kind) => childPartition({ ...of, kind }));
  await inParallel(partitions.map((partition) => emptyPartition(partition, deadline)));
}

/** Deletes all items of a partition, in pages, until the deadline. */
async function emptyPartition(partition: string, deadline: number): Promise<void> {
  for (;;) {
    const items = await queryItems({ partition, limit: pageSize });
    const left = await deleteAll(items);
    if (left.length > 0) throw new Error('DynamoDB did not process all deletions of child records.');
    if (items.length < pageSize) return;
    if (Date.now() >= deadline) throw new Error('The deadline passed before all child records were deleted.');
  }
}
