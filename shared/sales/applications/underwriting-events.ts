import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import { applicationSubject, eventFieldsOf } from './event-fields.ts';
import type { ApplicationAdmin, RiskAssessment } from './schema.ts';
import type { StoredApplication } from './stored-application.ts';
import type { DecisionInput } from './underwriting-schema.ts';

/** The previous and the new value; absent if unset. */
interface FromTo {
  from?: string;
  to?: string;
}

/** Returns the events of a change of underwriter or priority. */
export function underwritingChanged(before: StoredApplication, after: StoredApplication): EventDraft[] {
  const subject = subjectOf(applicationSubject, eventFieldsOf(after));
  const fromTo = (field: keyof Pick<ApplicationAdmin, 'assignedTo' | 'priority'>): FromTo | undefined => {
    const [from, to] = [before.admin[field], after.admin[field]];
    return from === to ? undefined : { from, to };
  };
  const [assigned, prioritised] = [fromTo('assignedTo'), fromTo('priority')];
  return [
    ...(assigned ? [{ kind: 'underwriting_application_assigned', subject, data: assigned } as const] : []),
    ...(prioritised
      ? [{ kind: 'underwriting_application_priority_changed', subject, data: prioritised } as const]
      : []),
  ];
}

export const decisionMade = (
  application: StoredApplication,
  { decision, reason, requested = [] }: DecisionInput,
): EventDraft[] => [
  {
    kind: 'underwriting_decision_made',
    subject: subjectOf(applicationSubject, eventFieldsOf(application)),
    data: {
      decision,
      reason,
      ...(requested.length > 0 && {
        requested: requested.map(({ field, documentKey }) => field ?? documentKey ?? ''),
      }),
      ...(decision === 'approved' && { merchantId: application.admin.merchantId }),
    },
  },
];

export const noteAdded = (application: { id: string }, noteId: number): EventDraft[] => [
  {
    kind: 'underwriting_note_added',
    subject: { type: 'application', id: application.id },
    data: { noteId },
  },
];

export const riskAssessed = (
  application: StoredApplication,
  { score, level }: RiskAssessment,
): EventDraft[] => [
  {
    kind: 'underwriting_risk_assessment_generated',
    subject: subjectOf(applicationSubject, eventFieldsOf(application)),
    data: { score, level },
  },
];
