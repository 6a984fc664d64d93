import { updated } from '../../events/announce.ts';
import type { Announcement } from '../../events/event.ts';
import type { Lead } from './lead.ts';

/** What a changed lead announces: nothing where nothing changed, the assignment on top where that changed. */
export function leadUpdated(before: Lead, after: Lead): Announcement[] {
  const announcements = updated('lead_updated', 'lead', before, after);
  if (before.assignedTo === after.assignedTo) return announcements;
  const subject = { type: 'lead', id: after.id, version: after.version };
  return [...announcements, { kind: 'lead_assigned', subject, data: { from: before.assignedTo, to: after.assignedTo } }];
}
