import { changesBetween } from '../../events/changes.ts';
import { updated } from '../../events/emit.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import type { Lead } from './schema.ts';
import { leads } from './store.ts';

/**
 * Returns the event of a new lead. `unassigned` means that no member of the rotation was eligible. The event does not name
 * possible duplicates, because readers of the lead may not reach them.
 */
export function leadCreated(
  { possibleDuplicates, ...lead }: Lead,
  unassigned: true | undefined,
): EventDraft[] {
  const changes = changesBetween({}, lead);
  return [
    {
      kind: 'lead_created',
      subject: subjectOf(leads, lead),
      data: { changes, ...(unassigned && { unassigned }) },
    },
  ];
}

/** Returns the events of a change, including `lead_assigned` if the assignee changed. */
export const leadUpdated = (before: Lead, after: Lead): EventDraft[] => [
  ...updated(leads, 'lead_updated', before, after),
  ...leadAssigned(before, after),
];

export function leadAssigned(before: Lead, after: Lead): EventDraft[] {
  if (before.assignedTo === after.assignedTo) return [];
  const subject = subjectOf(leads, after);
  return [{ kind: 'lead_assigned', subject, data: { from: before.assignedTo, to: after.assignedTo } }];
}

export const leadConverted = (lead: Lead, { id }: { id: string }): EventDraft[] => [
  { kind: 'lead_converted', subject: subjectOf(leads, lead), data: { applicationId: id } },
];
