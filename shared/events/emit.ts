import type { ChangesData, NoData } from '../resources/event-data.ts';
import type { EventData, EventKind, KindAbout, SubjectType } from '../resources/registry.ts';
import { changesBetween } from './changes.ts';
import type { EventDraft } from './envelope.ts';
import { type Describing, type Identified, subjectOf } from './subject.ts';

/** Returns the event of a new record, with all fields of the record. */
export const created = <T extends SubjectType, R>(
  emitter: Describing<T, R>,
  kind: KindAbout<T, ChangesData>,
  record: R & Identified,
): EventDraft[] => [draft(emitter, kind, record, { changes: changesBetween({}, record) })];

/** Returns the event of a changed record, with the changed fields. Returns no event if no field changed. */
export function updated<T extends SubjectType, R>(
  emitter: Describing<T, R>,
  kind: KindAbout<T, ChangesData>,
  before: R & Identified,
  after: R & Identified,
): EventDraft[] {
  const changes = changesBetween(before, after);
  return Object.keys(changes).length === 0 ? [] : [draft(emitter, kind, after, { changes })];
}

/** Returns an event without data, such as the event of a deletion. */
export const happened = <T extends SubjectType, R>(
  emitter: Describing<T, R>,
  kind: KindAbout<T, NoData>,
  record: R & Identified,
): EventDraft[] => [draft(emitter, kind, record, {})];

/**
 * Returns the event that records which sensitive values were shown. `fields` contains their paths. Returns no
 * event if `fields` is empty.
 */
export const sensitiveDataRevealed = <T extends 'application' | 'merchant' | 'payout_account' | 'payout', R>(
  emitter: Describing<T, R>,
  record: R & Identified,
  fields: readonly string[],
): EventDraft[] =>
  fields.length === 0
    ? []
    : [
        {
          kind: 'application_sensitive_data_revealed',
          subject: subjectOf(emitter, record),
          data: { fields },
        },
      ];

/** The cast is safe: the parameter types of the functions above guarantee that kind, subject and data match. */
const draft = <T extends SubjectType, R>(
  emitter: Describing<T, R>,
  kind: EventKind,
  record: R & Identified,
  data: EventData[EventKind],
) => ({ kind, subject: subjectOf(emitter, record), data }) as EventDraft;
