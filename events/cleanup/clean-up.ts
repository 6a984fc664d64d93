import type { Event } from '../../shared/events/envelope.ts';
import { parents } from '../../shared/resources/derived.ts';
import type { EventKind } from '../../shared/resources/registry.ts';
import { deleteAll } from '../../shared/table/batch-write.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import { childPartition } from '../../shared/table/keys.ts';
import { queryItems } from '../../shared/table/read.ts';
import type { Run } from '../../shared/work-queue/work-handler.ts';
import { deletedParent } from './deleted-parent.ts';
import { eraseBodies } from './erase-bodies.ts';
import { removeFile, removeFiles } from './remove-files.ts';

/**
 * Removes data that an event makes obsolete. Throws if some data was not removed, so that the event is
 * delivered again. An event can arrive more than once, so data that is already removed is not an error.
 */
type Removal = (event: Event, run: Run) => Promise<void>;

/** The removals in addition to `eraseBodies`, in order of execution. A removal must not delete data that a later one reads. */
const furtherRemovals: Readonly<Partial<Record<EventKind, readonly Removal[]>>> = {
  ...Object.fromEntries(
    Object.entries(parents).map(([name, { childKinds }]) => [
      `${name}_deleted`,
      childKinds.includes('DOCUMENT') ? [removeFiles, removeChildren] : [removeChildren],
    ]),
  ),
  file_deleted: [removeFile],
};

/** Removes the data that remains after a record or document was deleted. Throws if some data was not removed. */
export async function cleanUp(event: Event, run: Run): Promise<void> {
  for (const remove of furtherRemovals[event.kind] ?? []) await remove(event, run);
  await eraseBodies(event, run);
}

/** The number of children read and deleted at a time. */
const pageSize = 500;

/**
 * Removes the children of a deleted record. No child can be added after the deletion, so no child is missed. Throws if
 * some children were not removed, or if the record was not deleted.
 */
async function removeChildren(event: Event, { deadline }: { deadline: number }): Promise<void> {
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
