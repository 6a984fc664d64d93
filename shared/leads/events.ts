import { changesBetween } from '../events/changes.ts';
import { updated } from '../events/emit.ts';
import type { EventDraft } from '../events/envelope.ts';
import type { Lead } from './schema.ts';
import { leads } from './store.ts';

declare module '../events/data.ts' {
  interface NounEvents {
    lead: {
      lead_archived: Nothing;
      lead_assigned: { from?: string; to?: string };
      lead_created: Changed & { unassigned?: true };
      lead_deleted: Nothing;
      lead_disqualified: { reason?: string };
      lead_qualified: { reason?: string };
      lead_unarchived: Nothing;
      lead_updated: Changed;
    };
  }
}

/** What a new lead announces, and whether it waits for somebody to be eligible. */
export const leadCreated = (lead: Lead, unassigned: true | undefined): EventDraft[] => [
  {
    kind: 'lead_created',
    subject: { type: 'lead', id: lead.id, version: lead.version },
    data: { changes: changesBetween({}, lead), ...(unassigned && { unassigned }) },
  },
];

/** What a changed lead announces: nothing where nothing changed, the assignment on top where that changed. */
export const leadUpdated = (before: Lead, after: Lead): EventDraft[] => [
  ...updated(leads, 'lead_updated', before, after),
  ...leadAssigned(before, after),
];

/** What a lead announces whose assignee changed. */
export function leadAssigned(before: Lead, after: Lead): EventDraft[] {
  if (before.assignedTo === after.assignedTo) return [];
  const subject = { type: 'lead', id: after.id, version: after.version };
  return [{ kind: 'lead_assigned', subject, data: { from: before.assignedTo, to: after.assignedTo } }];
}
