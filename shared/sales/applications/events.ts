import { created, happened, updated } from '../../events/emit.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { applicationSubject, eventFieldsOf } from './event-fields.ts';
import type { StoredApplication } from './stored-application.ts';

export const applicationCreated = (application: StoredApplication): EventDraft[] => [
  ...created(applicationSubject, 'application_created', eventFieldsOf(application)),
  ...applicationCompleted(undefined, application),
];

/** Returns `application_updated`, and `application_completed` if the change completed the application. */
export const applicationUpdated = (before: StoredApplication, after: StoredApplication): EventDraft[] =>
  before === after
    ? []
    : [
        ...updated(applicationSubject, 'application_updated', eventFieldsOf(before), eventFieldsOf(after)),
        ...applicationCompleted(before, after),
      ];

/** Returns `application_completed` if this change completed the application for the first time. */
export const applicationCompleted = (
  before: StoredApplication | undefined,
  after: StoredApplication,
): EventDraft[] =>
  before?.completedAt === undefined && after.completedAt !== undefined
    ? happened(applicationSubject, 'application_completed', eventFieldsOf(after))
    : [];

export const applicationSubmitted = (application: StoredApplication): EventDraft[] =>
  happened(applicationSubject, 'application_submitted', eventFieldsOf(application));

export const applicationDeleted = (application: StoredApplication): EventDraft[] =>
  happened(applicationSubject, 'application_deleted', eventFieldsOf(application));
