import type { EventDraft } from '../../../events/envelope.ts';
import { subjectOf } from '../../../events/subject.ts';
import { externalStatusChanged } from '../external-status.ts';
import { applicationSubject } from '../record/event-fields.ts';
import type { RiskAssessment } from '../record/schema.ts';
import type { StoredApplication } from '../record/stored-application.ts';
import type { DecisionInput } from './underwriting-schema.ts';

const subjectFor = (application: StoredApplication) => subjectOf(applicationSubject, application);

/** Returns the events for a new underwriter or a new priority. */
export function underwritingChanged(before: StoredApplication, after: StoredApplication): EventDraft[] {
  const subject = subjectFor(after);
  const kinds = {
    assignedTo: 'underwriting_application_assigned',
    priority: 'underwriting_application_priority_changed',
  } as const;
  return (['assignedTo', 'priority'] as const).flatMap((field) => {
    const [from, to] = [before.admin[field], after.admin[field]];
    return from === to ? [] : [{ kind: kinds[field], subject, data: { from, to } }];
  });
}

/** Returns the events of a decision, including the event for the key that sent the application. */
export function decisionMade(
  application: StoredApplication,
  { decision, reason, requested = [] }: DecisionInput,
): EventDraft[] {
  const data = {
    decision,
    reason,
    ...(requested.length > 0 && {
      requested: requested.map(({ field, documentKey }) => field ?? documentKey ?? ''),
    }),
    ...(decision === 'approved' && { merchantId: application.admin.merchantId }),
  };
  return [
    { kind: 'underwriting_decision_made', subject: subjectFor(application), data },
    ...externalStatusChanged(application, decision === 'info_requested' ? 'information_requested' : decision),
  ];
}

export const noteAdded = (application: { id: string }, noteId: number): EventDraft[] => [
  { kind: 'underwriting_note_added', subject: { type: 'application', id: application.id }, data: { noteId } },
];

export const riskAssessed = (
  application: StoredApplication,
  { score, level }: RiskAssessment,
): EventDraft[] => [
  {
    kind: 'underwriting_risk_assessment_generated',
    subject: subjectFor(application),
    data: { score, level },
  },
];
