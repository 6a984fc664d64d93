import { changesBetween } from './changes.ts';
import type { Changed, KindOf, Nothing, NounEvents } from './data.ts';
import type { EventDraft, Subject } from './envelope.ts';

/** The store of the record: its subject decides which kinds fit, so that a team's event cannot name a lead source. */
interface Emitter<N extends keyof NounEvents> {
  subject: N;
}

interface Versioned {
  id: number | string;
  version?: number;
}

/** The subject of an event about a record. */
export const subjectOf = (type: string, { id, version }: Versioned): Subject => ({ type, id, version });

/** The event of a new record, with every field it has. */
export const created = <N extends keyof NounEvents>(
  { subject }: Emitter<N>,
  kind: KindOf<N, Changed>,
  record: Versioned,
): EventDraft[] => [draft(kind, subject, record, { changes: changesBetween({}, record) })];

/** The event of a changed record, with each field that changed; none where nothing did. */
export function updated<N extends keyof NounEvents>(
  { subject }: Emitter<N>,
  kind: KindOf<N, Changed>,
  before: Versioned,
  after: Versioned,
): EventDraft[] {
  const changes = changesBetween(before, after);
  return Object.keys(changes).length === 0 ? [] : [draft(kind, subject, after, { changes })];
}

/** The event of a kind that carries no data, such as a deletion or an archiving. */
export const happened = <N extends keyof NounEvents>(
  { subject }: Emitter<N>,
  kind: KindOf<N, Nothing>,
  record: Versioned,
): EventDraft[] => [draft(kind, subject, record, {})];

/** The same, but none where `before` and `after` are the same object, because the record was in that state already. */
export const switched = <N extends keyof NounEvents>(
  emitter: Emitter<N>,
  kind: KindOf<N, Nothing>,
  before: Versioned,
  after: Versioned,
): EventDraft[] => (before === after ? [] : happened(emitter, kind, after));

/**
 * The event that sensitive values of a record were shown, by their paths; none where none was. The closed list has one
 * kind for it, whatever the record.
 */
export const sensitiveDataRevealed = (
  { subject }: { subject: string },
  record: Versioned,
  fields: readonly string[],
): EventDraft[] =>
  fields.length === 0
    ? []
    : [
        {
          kind: 'application_sensitive_data_revealed',
          subject: subjectOf(subject, record),
          data: { fields },
        },
      ];

const draft = (kind: EventDraft['kind'], type: string, record: Versioned, data: object) =>
  ({ kind, subject: subjectOf(type, record), data }) as EventDraft;
