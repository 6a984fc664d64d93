import { ApiError } from '../../errors.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { EventData } from '../../resources/registry.ts';
import type { SignedIn } from '../../security/principal.ts';
import {
  type ApplicationChangeRequest,
  type ChangedApplication,
  changeApplication,
  createApplication,
} from '../applications/form/change-application.ts';
import { applicationSubject } from '../applications/record/event-fields.ts';
import type { StoredApplication } from '../applications/record/stored-application.ts';
import { applications } from '../applications/store.ts';
import type { ExternalApplicationPatch } from './schema.ts';
import { type ExternalReference, externalIds } from './store.ts';

/** A request of a key that sends an application. */
interface ApplicationSender extends Omit<ApplicationChangeRequest, 'body'> {
  account: AccountId;
  principal: SignedIn;
}

type SavedApplication = Omit<ChangedApplication, 'completeness'>;

type ApplicationKind = 'extapi_application_submitted' | 'extapi_application_updated';

/** Returns an event of the external API about an application of the key. */
export function externalEvent(kind: ApplicationKind, application: StoredApplication): EventDraft {
  return { kind, subject: subjectOf(applicationSubject, application), data: originOf(application) };
}

/** Returns the key and the id under which the key sent the application. */
export const originOf = ({
  admin: { externalKeyId = 0, externalId = '' },
}: StoredApplication): EventData[ApplicationKind] => ({ keyId: externalKeyId, externalId });

/** Creates the application, or changes the application that the caller sent earlier with the same external id. */
export async function saveApplication(
  reference: ExternalReference,
  body: ExternalApplicationPatch,
  sender: ApplicationSender,
): Promise<SavedApplication> {
  const known = await externalIds.find(reference);
  if (!known) return createOwnApplication(reference, body, sender);
  const application = await applications.find(sender.account, String(known.recordId));
  if (!application) throw new ApiError('id_retired');
  return changeOwnApplication(application, body, sender);
}

async function createOwnApplication(
  reference: ExternalReference,
  body: ExternalApplicationPatch,
  sender: ApplicationSender,
): Promise<SavedApplication> {
  const { keyId: externalKeyId, externalId } = reference;
  const { after, writes, events } = await createApplication(
    { ...sender, body },
    { origin: { externalKeyId, externalId } },
  );
  return { after, writes: [...writes, externalIds.insert(reference, { recordId: after.id })], events };
}

/** Changes the sent fields. Owners that were not sent are kept. */
export async function changeOwnApplication(
  before: StoredApplication,
  body: ExternalApplicationPatch,
  sender: ApplicationSender,
): Promise<SavedApplication> {
  const { after, writes, events } = await changeApplication(
    before,
    { ...sender, body },
    { preserveOtherOwners: true },
  );
  return {
    after,
    writes,
    events: events.length === 0 ? [] : [...events, externalEvent('extapi_application_updated', after)],
  };
}
