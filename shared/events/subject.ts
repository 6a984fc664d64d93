import { searchedNouns } from '../resources/derived.ts';
import type { SearchedName, SubjectType } from '../resources/registry.ts';
import type { RecordId } from '../table/keys.ts';
import type { Event, Subject } from './envelope.ts';

/** The fields of a record that a subject needs. */
export interface Identified {
  id: number | string;
  version?: number;
}

export type Described = Pick<Subject, 'label' | 'assignedTo' | 'parent'>;

/**
 * Describes records of one type as subjects of events. `R` is the record as events contain it, without hidden values,
 * so that no label can contain a hidden value.
 */
export interface Describing<T extends SubjectType, R> {
  subject: T;
  describe(record: R): Described;
}

/** Describes records whose label is their `name`. */
export const byName = ({ name }: Identified & { name: string }): Described => ({ label: name });

const isSearched = (type: string): type is SearchedName => type in searchedNouns;

/**
 * Returns the record in the search index that an event may have changed: the record of a happening, the subject, or its
 * parent. The parent of a mail's subject is the record in whose thread the mail is.
 */
export function searchedRecord({
  subject: { type, id, parent },
  data,
}: Pick<Event, 'subject' | 'data'>): { type: SearchedName; id: RecordId } | undefined {
  if ('happening' in data && isSearched(data.resource)) return { type: data.resource, id: data.recordId };
  if (isSearched(type)) return { type, id };
  return parent && isSearched(parent.type) ? { type: parent.type, id: parent.id } : undefined;
}

/** The longest label, in UTF-16 code units. */
const longestLabel = 120;

export const subjectOf = <T extends SubjectType, R>(
  { subject, describe }: Describing<T, R>,
  record: R & Identified,
): Subject<T> => {
  const { label, ...described } = describe(record);
  return { type: subject, id: record.id, version: record.version, ...described, ...labelled(label) };
};

/** Returns a label, cut to the limit without splitting a surrogate pair. Returns `{}` for an empty text. */
export function labelled(text: unknown): { label?: string } {
  if (typeof text !== 'string') return {};
  const label = text.trim();
  if (label.length <= longestLabel) return label === '' ? {} : { label };
  const last = label.charCodeAt(longestLabel - 1);
  const halved = last >= 0xd800 && last <= 0xdbff;
  return { label: label.slice(0, halved ? longestLabel - 1 : longestLabel) };
}
