import { parentName, readParents } from '../../endpoints/parent-records.ts';
import type { Event } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { Reaching } from '../../security/reach.ts';
import { isLimitedFor, reachedSubject } from '../../security/read-permission.ts';
import { currentReads, type Reads } from '../../table/read.ts';

type AboutRecord = Pick<Event, 'subject'>;

/** The current state of the records that events are about, by `subjectName`. A missing record has none. */
export type SubjectRecords = ReadonlyMap<string, object>;

/** Returns the name of the record that an event is about, such as `lead 1234`. */
export const subjectName = (event: AboutRecord): string => parentName(reachedSubject(event) ?? event.subject);

/**
 * Reads the records that events of an account are about, if one of the readers has a permission that is limited to some of
 * them. A reader may have lost the record after the event, so the event itself does not show who reaches it.
 */
export async function readSubjectRecords(
  account: AccountId,
  events: readonly AboutRecord[],
  readers: readonly Pick<Reaching, 'permissions'>[],
  reads: Reads = currentReads,
): Promise<SubjectRecords> {
  const wanted = events
    .filter((event) => readers.some((reader) => isLimitedFor(reader, event)))
    .flatMap((event) => reachedSubject(event) ?? []);
  return readParents(account, wanted, reads);
}
