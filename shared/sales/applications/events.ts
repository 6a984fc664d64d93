import { happened } from '../../events/emit.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import { applicationSubject } from './event-fields.ts';
import type { ApplicationChange } from './form/change-application.ts';
import type { StoredApplication } from './stored-application.ts';

/** An event about an application, with its changed fields. */
const changed = (
  kind: 'application_created' | 'application_updated',
  { after, changes }: Omit<ApplicationChange, 'completeness'>,
): EventDraft => ({ kind, subject: subjectOf(applicationSubject, after), data: { changes } });

export const applicationCreated = (change: ApplicationChange): EventDraft[] => [
  changed('application_created', change),
  ...applicationCompleted(undefined, change.after),
];

/** Returns `application_updated`, and `application_completed` if the change completed the application. */
export const applicationUpdated = (
  before: StoredApplication,
  change: Omit<ApplicationChange, 'completeness'>,
): EventDraft[] => [
  ...(Object.keys(change.changes).length === 0 ? [] : [changed('application_updated', change)]),
  ...applicationCompleted(before, change.after),
];

/** Returns `application_completed` if this change completed the application for the first time. */
export const applicationCompleted = (
  before: StoredApplication | undefined,
  after: StoredApplication,
): EventDraft[] =>
  before?.completedAt === undefined && after.completedAt !== undefined
    ? happened(applicationSubject, 'application_completed', after)
    : [];

export const applicationSubmitted = (application: StoredApplication): EventDraft[] =>
  happened(applicationSubject, 'application_submitted', application);

export const applicationDeleted = (application: StoredApplication): EventDraft[] =>
  happened(applicationSubject, 'application_deleted', application);
