import { bodiesKey, bodiesOfPartition } from '../../shared/body-capture/keys.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { firstIdAt } from '../../shared/id/mint.ts';
import { deleteAll } from '../../shared/table/batch-write.ts';
import { digits } from '../../shared/table/keys.ts';
import { queryItems } from '../../shared/table/read.ts';

/** The number of references that are read at a time. */
const pageSize = 500;

/** The clocks of two functions differ by less than this number of milliseconds. */
const slack = 60_000;

/**
 * Erases the captured bodies of all requests that changed a deleted record. Throws if some bodies were not erased. Later
 * bodies stay, because the event can arrive after another record with the same id was created, such as a role.
 */
export async function eraseBodies(
  { accountId, subject, occurredAt }: Event,
  { deadline }: { deadline: number },
): Promise<void> {
  const partition = bodiesOfPartition(accountId, subject.type, subject.id);
  const sortKey = { from: '0', to: digits(firstIdAt(new Date(Date.parse(occurredAt) + slack))) };
  for (;;) {
    const references = await queryItems({ partition, sortKey, limit: pageSize });
    // The references are deleted last, so that the bodies are found again after a failure.
    const bodies = references.map(({ sk }) => bodiesKey(accountId, Number(sk)));
    for (const keys of [bodies, references])
      if ((await deleteAll(keys)).length > 0)
        throw new Error('DynamoDB did not process all deletions of captured bodies.');
    if (references.length < pageSize) return;
    if (Date.now() >= deadline)
      throw new Error('The deadline passed before all captured bodies were erased.');
  }
}
