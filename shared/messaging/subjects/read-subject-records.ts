import type { Event } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import { subjectNouns } from '../../resources/derived.ts';
import type { Reaching } from '../../security/reach.ts';
import { isLimitedFor, reachedSubject } from '../../security/read-permission.ts';
import { isTombstone, recordOf } from '../../table/item.ts';
import { recordKey } from '../../table/keys.ts';
import { currentReads, type Reads } from '../../table/read.ts';

type AboutRecord = Pick<Event, 'subject'>;

/** The current state of the records that events are about, by `subjectName`. A missing record has none. */
export type SubjectRecords = ReadonlyMap<string, object>;

/** Returns the name of the record that an event is about, such as `lead 1234`. */
export function subjectName(event: AboutRecord): string {
  const { type, id } = reachedSubject(event) ?? event.subject;
  return `${type} ${id}`;
}

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
  const wanted = new Map(
    events
      .filter((event) => readers.some((reader) => isLimitedFor(reader, event)))
      .flatMap((event) => {
        const found = reachedSubject(event);
        return found
          ? [[subjectName(event), recordKey(account, subjectNouns[found.type], found.id)] as const]
          : [];
      }),
  );
  if (wanted.size === 0) return new Map();
  const items = await reads.getItems([...wanted.values()]);
  return new Map(
    [...wanted.keys()].flatMap((name, n) => {
      const item = items[n];
      return item && !isTombstone(item) ? [[name, recordOf<object>(item)] as const] : [];
    }),
  );
}
