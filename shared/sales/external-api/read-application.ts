import { notFound } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { SignedIn } from '../../security/principal.ts';
import type { StoredApplication } from '../applications/record/stored-application.ts';
import { applications } from '../applications/store.ts';
import { type ExternalReference, externalIds } from './store.ts';

interface Reader {
  account: AccountId;
  principal: Pick<SignedIn, 'id'>;
}

export const applicationReference = (
  { account, principal }: Reader,
  externalId: string,
): ExternalReference => ({ account, keyId: principal.id, type: 'application', externalId });

/** Returns the application that the caller sent with this id. Throws `not_found`, also for the id of another caller. */
export async function readOwnApplication(
  reader: Reader & { params: { externalId: string } },
): Promise<StoredApplication> {
  const { externalId } = reader.params;
  const known = externalId.includes('#')
    ? undefined
    : await externalIds.find(applicationReference(reader, externalId));
  const application = known && (await applications.find(reader.account, String(known.recordId)));
  if (!application) throw notFound('application', externalId);
  return application;
}
