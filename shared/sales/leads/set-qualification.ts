import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import type { Write } from '../../table/operations.ts';
import { type Authored, revise } from '../../table/revise.ts';
import type { Lead } from './schema.ts';
import { leads } from './store.ts';

/** Sets `qualification` and `qualificationReason` of a lead. A repeated request changes nothing and emits no event. */
export function setQualification(
  lead: Lead,
  qualification: 'qualified' | 'disqualified',
  request: Authored & { body: { reason?: string } },
): { response: Lead; writes: Write[]; events: EventDraft[] } {
  const { reason } = request.body;
  const after = revise(lead, { qualification, qualificationReason: reason ?? null }, request);
  const subject = subjectOf(leads, after);
  return {
    response: after,
    writes: leads.replace(lead, after),
    events: after === lead ? [] : [{ kind: `lead_${qualification}`, subject, data: { reason } }],
  };
}
