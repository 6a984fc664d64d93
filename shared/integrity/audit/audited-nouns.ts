import type { Subject } from '../../events/envelope.ts';
import type { ListedNoun } from '../../table/keys.ts';

/** The listed noun behind each type of subject that carries an audit log. */
export const auditedNouns: Readonly<Record<string, ListedNoun>> = {
  lead: 'LEAD',
  application: 'APPLICATION',
};

/** The record whose audit log tells of an event: its subject, or what that hangs on; undefined where neither has one. */
export function auditedRecord(subject: Subject): { noun: ListedNoun; id: number | string } | undefined {
  const { type, id } = auditedNouns[subject.type] ? subject : (subject.parent ?? subject);
  const noun = auditedNouns[type];
  return noun && { noun, id };
}
