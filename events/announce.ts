import { changesBetween } from './changes.ts';
import type { Changed, EventData } from './data.ts';
import type { Announcement, Subject } from './event.ts';

type KindWith<D> = {
  [K in keyof EventData]: EventData[K] extends D ? (D extends EventData[K] ? K : never) : never;
}[keyof EventData];

interface Announced {
  id: number | string;
  version?: number;
}

const subjectOf = (type: string, { id, version }: Announced): Subject => ({ type, id, version });

/** What a new record announces: every field it begins with. */
export const created = (kind: KindWith<Changed>, type: string, record: Announced): Announcement[] => [
  { kind, subject: subjectOf(type, record), data: { changes: changesBetween({}, record) } },
];

/** What a changed record announces: each field that changed; nothing where none did. */
export function updated(
  kind: KindWith<Changed>,
  type: string,
  before: Announced,
  after: Announced,
): Announcement[] {
  const changes = changesBetween(before, after);
  return Object.keys(changes).length === 0
    ? []
    : [{ kind, subject: subjectOf(type, after), data: { changes } }];
}

/** What happened to a record, where its kind says it all: a deletion, an archiving. */
export const happened = (
  kind: KindWith<Record<string, never>>,
  type: string,
  record: Announced,
): Announcement[] => [{ kind, subject: subjectOf(type, record), data: {} }];

/** The same where the record may have been in that state already: then nothing happened. */
export const switched = (
  kind: KindWith<Record<string, never>>,
  type: string,
  before: Announced,
  after: Announced,
) => (before === after ? [] : happened(kind, type, after));
