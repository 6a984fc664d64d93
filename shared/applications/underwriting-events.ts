import { subjectOf } from '../events/emit.ts';
import type { EventDraft } from '../events/envelope.ts';
import type { ApplicationAdmin, RiskAssessment } from './schema.ts';
import type { StoredApplication } from './stored-application.ts';
import type { DecisionInput } from './underwriting-schema.ts';

/** What was before and what is now; absent is nobody, or none. */
interface FromTo {
  from?: string;
  to?: string;
}

declare module '../events/data.ts' {
  interface NounEvents {
    underwriting: {
      underwriting_application_assigned: FromTo;
      underwriting_application_priority_changed: FromTo;
      underwriting_decision_made: {
        decision: DecisionInput['decision'];
        reason?: string;
        /** The fields and documents that are asked for. */
        requested?: string[];
        /** The merchant that an approval makes. */
        merchantId?: number;
      };
      /** Without what it says. */
      underwriting_note_added: { noteId: number };
      underwriting_risk_assessment_generated: Pick<RiskAssessment, 'score' | 'level'>;
    };
  }
}

/** The events of an application that somebody else judges now, or sooner or later; none where both are the same. */
export function underwritingChanged(before: StoredApplication, after: StoredApplication): EventDraft[] {
  const subject = subjectOf('application', after);
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

/** The event of a decision. */
export const decisionMade = (
  application: StoredApplication,
  { decision, reason, requested = [] }: DecisionInput,
): EventDraft[] => [
  {
    kind: 'underwriting_decision_made',
    subject: subjectOf('application', application),
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
    subject: subjectOf('application', application),
    data: { noteId },
  },
];

export const riskAssessed = (
  application: StoredApplication,
  { score, level }: RiskAssessment,
): EventDraft[] => [
  {
    kind: 'underwriting_risk_assessment_generated',
    subject: subjectOf('application', application),
    data: { score, level },
  },
];
