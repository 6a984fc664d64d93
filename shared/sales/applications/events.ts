import { changesBetween } from '../../events/changes.ts';
import { happened } from '../../events/emit.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import type { Changes } from '../../resources/event-data.ts';
import { applicationEventFields, applicationSubject } from './record/event-fields.ts';
import type { StoredApplication } from './record/stored-application.ts';

/** An event about an application, with its changed fields by path. */
const changed = (
  kind: 'application_created' | 'application_updated',
  after: StoredApplication,
  changes: Changes,
): EventDraft => ({ kind, subject: subjectOf(applicationSubject, after), data: { changes } });

export const applicationCreated = (after: StoredApplication, changes: Changes): EventDraft[] => [
  changed('application_created', after, changes),
  ...applicationCompleted(undefined, after),
];

/** Returns `application_updated`, and `application_completed` if the change completed the application. */
export const applicationUpdated = (
  before: StoredApplication,
  after: StoredApplication,
  changes = changesBetween(applicationEventFields(before), applicationEventFields(after)),
): EventDraft[] => [
  ...(Object.keys(changes).length === 0 ? [] : [changed('application_updated', after, changes)]),
  ...applicationCompleted(before, after),
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
