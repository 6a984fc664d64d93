import { created, happened, updated } from '../../events/emit.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import type { Mid } from './schema.ts';
import { mids } from './store.ts';

export const midCreated = (mid: Mid): EventDraft[] => created(mids, 'mid_created', mid);

export const midDeleted = (mid: Mid): EventDraft[] => happened(mids, 'mid_deleted', mid);

/**
 * Returns the events of a change: `mid_updated`, `mid_assigned` if the merchant changed, and `mid_activated`
 * or `mid_suspended` if the status changed.
 */
export function midUpdated(before: Mid, after: Mid): EventDraft[] {
  if (before === after) return [];
  const subject = subjectOf(mids, after);
  const [from, to] = [before.merchantId, after.merchantId];
  const status = after.status === 'active' ? 'mid_activated' : 'mid_suspended';
  return [
    ...updated(mids, 'mid_updated', before, after),
    ...(from === to ? [] : [{ kind: 'mid_assigned' as const, subject, data: { from, to } }]),
    ...(before.status === after.status ? [] : happened(mids, status, after)),
  ];
}
