import type { AccountId } from '../../id/account-id.ts';
import type { DataKeys } from '../../security/data-keys.ts';
import { revise } from '../../table/revise.ts';
import type { Lead } from '../leads/schema.ts';
import { type Changing, createApplication } from './change-application.ts';
import type { WithAppKey } from './new-application.ts';
import { prefillFromLead } from './prefill-from-lead.ts';

/** A lead and the new application that it is made into, each naming the other. */
export async function convertLead(
  lead: Lead,
  request: Omit<Changing, 'body' | 'dataKeys'> & { account: AccountId },
  keys: DataKeys,
): Promise<{ lead: Lead; made: WithAppKey }> {
  const { application, appKey } = await createApplication({
    ...request,
    body: prefillFromLead(lead),
    dataKeys: async () => keys,
  });
  return {
    lead: revise(lead, { applicationId: application.id }, request),
    made: { application: { ...application, admin: { leadId: lead.id } }, appKey },
  };
}

/** Keys for a conversion that nothing is kept of: what they seal opens nowhere. */
export const unkeptKeys: DataKeys = {
  seal: async () => '',
  open: async () => '',
  blind: () => '',
};
