import type { AccountId } from '../../../id/account-id.ts';
import type { Ownership } from '../../../people/ownership/schema.ts';
import type { DataKeys } from '../../../security/data-keys.ts';
import { newStamps } from '../../../table/record-fields.ts';
import type { Authored } from '../../../table/revise.ts';
import { type WithAppKey, withNewAppKey } from '../app-key/new-app-key.ts';
import { mintApplicationId } from '../record/application-id.ts';
import type { ApplicationAdmin } from '../record/schema.ts';

export interface NewApplicationOptions {
  /** By default, the service generates the id. */
  ownId?: string;
  /** The converted lead. */
  leadId?: number;
  /** By default, the application has no owner, no team and no participants. */
  ownership?: Ownership;
  /** The key and its id, for an application of the external API. */
  origin?: Pick<ApplicationAdmin, 'externalKeyId' | 'externalId'>;
}

/** Returns an empty application with an appKey. */
export async function newApplication(
  request: Authored & { account: AccountId },
  keys: DataKeys,
  { ownId, leadId, ownership, origin }: NewApplicationOptions,
): Promise<WithAppKey> {
  const { id, listId } = mintApplicationId(request.now);
  return withNewAppKey(
    {
      id: ownId ?? id,
      ...newStamps(request),
      ...ownership,
      listId,
      status: 'pending',
      businessOwners: [],
      nextOwnerId: 1,
      admin: { ...(leadId !== undefined && { leadId }), ...origin },
      uploads: {},
    },
    keys,
  );
}
