import type { Effects } from '../../events/envelope.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { externalStatusChanged } from '../applications/external-status.ts';
import type { StoredApplication } from '../applications/record/stored-application.ts';
import { applications } from '../applications/store.ts';
import type { StoredMerchant } from '../merchants/stored-merchant.ts';

/**
 * Marks the application of a merchant that becomes active as boarded, if a key sent the application. Later changes of the
 * merchant's status have no effect on the application.
 */
export async function boardApplication(
  before: StoredMerchant,
  after: StoredMerchant,
  request: Authored,
): Promise<Effects> {
  const { accountId, applicationId, status } = after;
  const nothing = { writes: [], events: [] };
  if (applicationId === undefined || status !== 'active' || before.status === 'active') return nothing;
  const application = await applications.find(accountId, applicationId);
  if (!application || !isToBoard(application)) return nothing;
  const admin = { ...application.admin, boardedAt: request.now.toISOString() };
  const boarded = revise(application, { admin }, request);
  return {
    writes: applications.replace(application, boarded),
    events: externalStatusChanged(boarded, 'boarded'),
  };
}

/** Reports whether the key that sent an application must still learn that the merchant is boarded. */
export const isToBoard = ({ admin: { externalKeyId, boardedAt } }: StoredApplication): boolean =>
  externalKeyId !== undefined && boardedAt === undefined;
