import { created, happened, updated } from '../../events/emit.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { applicationSubject, eventFieldsOf } from './event-fields.ts';
import type { StoredApplication } from './stored-application.ts';

/** The events of a new application, with every field that it has. */
export const applicationCreated = (application: StoredApplication): EventDraft[] => [
  ...created(applicationSubject, 'application_created', eventFieldsOf(application)),
  ...applicationCompleted(undefined, application),
];

/** The events of a changed application: what changed by path, and its completion where this change made it. */
export const applicationUpdated = (before: StoredApplication, after: StoredApplication): EventDraft[] =>
  before === after
    ? []
    : [
        ...updated(applicationSubject, 'application_updated', eventFieldsOf(before), eventFieldsOf(after)),
        ...applicationCompleted(before, after),
      ];

/** The event of a change after which the application was complete for the first time; else none. */
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
