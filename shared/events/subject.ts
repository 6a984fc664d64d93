import type { SubjectType } from './catalogue.ts';
import type { Subject } from './envelope.ts';

/** A record as far as every subject has it. */
export interface Identified {
  id: number | string;
  version?: number;
}

/** What an event says of its subject beside what it is. */
export type Described = Pick<Subject, 'label' | 'assignedTo' | 'parent'>;

/**
 * How events name the records of a noun. A description is made of `R`, the record as events tell of it: what they hide is
 * in no label either.
 */
export interface Describing<T extends SubjectType, R> {
  subject: T;
  describe(record: R): Described;
}

/** Records that people call by their `name`. */
export const byName = ({ name }: Identified & { name: string }): Described => ({ label: name });

/** In characters, as JavaScript counts them. */
const longestLabel = 120;

/** A record as the subject of an event. */
export const subjectOf = <T extends SubjectType, R>(
  { subject, describe }: Describing<T, R>,
  record: R & Identified,
): Subject<T> => {
  const { label, ...described } = describe(record);
  return { type: subject, id: record.id, version: record.version, ...described, ...labelled(label) };
};

/** A label of the text, cut where it is too long and never inside a character; none where there is nothing to read. */
export function labelled(text: unknown): { label?: string } {
  if (typeof text !== 'string') return {};
  const label = text.trim();
  if (label.length <= longestLabel) return label === '' ? {} : { label };
  const last = label.charCodeAt(longestLabel - 1);
  const halved = last >= 0xd800 && last <= 0xdbff;
  return { label: label.slice(0, halved ? longestLabel - 1 : longestLabel) };
}
