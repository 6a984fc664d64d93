import type { Write } from '../../table/operations.ts';
import type { Lead } from '../leads/schema.ts';
import { leads } from '../leads/store.ts';
import { externalIds } from './store.ts';

/**
 * The leads with a `delete` that also removes the hashes of the sent values. The external id remains, so that the lead is
 * not created again.
 */
export const forgettableLeads = {
  ...leads,
  delete: (lead: Lead, now: Date): Write[] => [...leads.delete(lead, now), ...forgetSent(lead)],
};

function forgetSent({ accountId: account, id, externalKeyId: keyId, externalId }: Lead): Write[] {
  if (keyId === undefined || externalId === undefined) return [];
  return [externalIds.replace({ account, keyId, type: 'lead', externalId }, { recordId: id })];
}
