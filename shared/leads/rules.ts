import type { EventDraft } from '../events/envelope.ts';
import { type Authored, revise } from '../table/revise.ts';
import type { Lead } from './schema.ts';

/** A lead judged as worth pursuing or not, and why. The same judgement again changes nothing and emits nothing. */
export function judgeLead(
  lead: Lead,
  qualification: 'qualified' | 'disqualified',
  reason: string | undefined,
  request: Authored,
): { after: Lead; events: EventDraft[] } {
  const after = revise(lead, { qualification, qualificationReason: reason ?? null }, request);
  const subject = { type: 'lead', id: after.id, version: after.version };
  return {
    after,
    events: after === lead ? [] : [{ kind: `lead_${qualification}`, subject, data: { reason } }],
  };
}
