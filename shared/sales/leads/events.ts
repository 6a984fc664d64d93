import { changesBetween } from '../../events/changes.ts';
import { updated } from '../../events/emit.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import type { Lead } from './schema.ts';
import { leads } from './store.ts';

/** The event of a new lead; `unassigned` where its rotation has nobody eligible. */
export const leadCreated = (lead: Lead, unassigned: true | undefined): EventDraft[] => [
  {
    kind: 'lead_created',
    subject: subjectOf(leads, lead),
    data: { changes: changesBetween({}, lead), ...(unassigned && { unassigned }) },
  },
];

/** The events of a changed lead: none where nothing changed, and one more where the assignee changed. */
export const leadUpdated = (before: Lead, after: Lead): EventDraft[] => [
  ...updated(leads, 'lead_updated', before, after),
  ...leadAssigned(before, after),
];

/** The event of a changed assignee; none where it is the same. */
export function leadAssigned(before: Lead, after: Lead): EventDraft[] {
  if (before.assignedTo === after.assignedTo) return [];
  const subject = subjectOf(leads, after);
  return [{ kind: 'lead_assigned', subject, data: { from: before.assignedTo, to: after.assignedTo } }];
}

/** The event of a lead of which an application was made. */
export const leadConverted = (lead: Lead, { id }: { id: string }): EventDraft[] => [
  {
    kind: 'lead_converted',
    subject: subjectOf(leads, lead),
    data: { applicationId: id },
  },
];
