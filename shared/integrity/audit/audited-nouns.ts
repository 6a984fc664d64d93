import type { Subject } from '../../events/envelope.ts';
import type { ListedNoun } from '../../table/keys.ts';

/** The record types with an audit log: the name of each type in table keys, by subject type. */
export const auditedNouns: Readonly<Record<string, ListedNoun>> = {
  lead: 'LEAD',
  application: 'APPLICATION',
};

/** Returns the record whose audit log contains an event: the subject or its parent. Undefined if neither has a log. */
export function auditedRecord(subject: Subject): { noun: ListedNoun; id: number | string } | undefined {
  const { type, id } = auditedNouns[subject.type] ? subject : (subject.parent ?? subject);
  const noun = auditedNouns[type];
  return noun && { noun, id };
}
