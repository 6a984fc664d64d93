import { updated } from '../../events/announce.ts';
import { changesBetween } from '../../events/changes.ts';
import type { Announcement } from '../../events/event.ts';
import type { Lead } from './lead.ts';

/** What a new lead announces, and whether it waits for somebody to be eligible. */
export const leadCreated = (lead: Lead, unassigned: true | undefined): Announcement[] => [
  {
    kind: 'lead_created',
    subject: { type: 'lead', id: lead.id, version: lead.version },
    data: { changes: changesBetween({}, lead), ...(unassigned && { unassigned }) },
  },
];

/** What a changed lead announces: nothing where nothing changed, the assignment on top where that changed. */
export const leadUpdated = (before: Lead, after: Lead): Announcement[] => [
  ...updated('lead_updated', 'lead', before, after),
  ...leadAssigned(before, after),
];

/** What a lead announces whose assignee changed. */
export function leadAssigned(before: Lead, after: Lead): Announcement[] {
  if (before.assignedTo === after.assignedTo) return [];
  const subject = { type: 'lead', id: after.id, version: after.version };
  return [{ kind: 'lead_assigned', subject, data: { from: before.assignedTo, to: after.assignedTo } }];
}
