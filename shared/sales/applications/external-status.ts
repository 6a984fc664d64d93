import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import type { EventData } from '../../resources/registry.ts';
import { applicationSubject } from './record/event-fields.ts';
import type { StoredApplication } from './record/stored-application.ts';

type ExternalStatus = EventData['extapi_status_change']['status'];

/** Returns the event of a new status for the key that sent the application. Returns no event for other applications. */
export function externalStatusChanged(application: StoredApplication, status: ExternalStatus): EventDraft[] {
  const { externalKeyId: keyId, externalId } = application.admin;
  if (keyId === undefined || externalId === undefined) return [];
  const subject = subjectOf(applicationSubject, application);
  return [{ kind: 'extapi_status_change', subject, data: { keyId, externalId, status } }];
}
