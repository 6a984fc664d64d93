import type { Subject } from '../../events/envelope.ts';
import { auditedNouns } from '../../resources/derived.ts';
import type { ListedNoun } from '../../table/keys.ts';

/** Returns the record whose audit log contains an event: the subject or its parent. Undefined if neither has a log. */
export function auditedRecord(subject: Subject): { noun: ListedNoun; id: number | string } | undefined {
  const { type, id } = auditedNouns[subject.type] ? subject : (subject.parent ?? subject);
  const noun = auditedNouns[type];
  return noun && { noun, id };
}
