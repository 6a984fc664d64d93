import type { ChangesData, EmittedKind, EventData, KindAbout, NoData, SubjectType } from './catalogue.ts';
import { changesBetween } from './changes.ts';
import type { EventDraft } from './envelope.ts';
import { type Describing, type Identified, subjectOf } from './subject.ts';

/** The event of a new record, with every field it has. */
export const created = <T extends SubjectType, R>(
  emitter: Describing<T, R>,
  kind: KindAbout<T, ChangesData>,
  record: R & Identified,
): EventDraft[] => [draft(emitter, kind, record, { changes: changesBetween({}, record) })];

/** The event of a changed record, with each field that changed; none where nothing did. */
export function updated<T extends SubjectType, R>(
  emitter: Describing<T, R>,
  kind: KindAbout<T, ChangesData>,
  before: R & Identified,
  after: R & Identified,
): EventDraft[] {
  const changes = changesBetween(before, after);
  return Object.keys(changes).length === 0 ? [] : [draft(emitter, kind, after, { changes })];
}

/** The event of a kind that carries no data, such as a deletion or an archiving. */
export const happened = <T extends SubjectType, R>(
  emitter: Describing<T, R>,
  kind: KindAbout<T, NoData>,
  record: R & Identified,
): EventDraft[] => [draft(emitter, kind, record, {})];

/** The same, but none where `before` and `after` are the same object, because the record was in that state already. */
export const switched = <T extends SubjectType, R>(
  emitter: Describing<T, R>,
  kind: KindAbout<T, NoData>,
  before: R & Identified,
  after: R & Identified,
): EventDraft[] => (before === after ? [] : happened(emitter, kind, after));

/**
 * The event that sensitive values of a record were shown, by their paths; none where none was. The closed list has one
 * kind for it, whatever the record.
 */
export const sensitiveDataRevealed = <T extends 'application' | 'merchant', R>(
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

/** The parameters say by their types that the kind is one of such a subject with such data. */
const draft = <T extends SubjectType, R>(
  emitter: Describing<T, R>,
  kind: EmittedKind,
  record: R & Identified,
  data: EventData[EmittedKind],
) => ({ kind, subject: subjectOf(emitter, record), data }) as EventDraft;
