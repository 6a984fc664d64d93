import type { AccountId } from '../../id/account-id.ts';
import { revise } from '../../table/revise.ts';
import type { Lead } from '../leads/schema.ts';
import { type ApplicationChangeRequest, createApplication } from './change-application.ts';
import type { WithAppKey } from './new-application.ts';
import { prefillFromLead } from './prefill-from-lead.ts';

/** A lead and the new application that it is made into, each naming the other. */
export async function convertLead(
  lead: Lead,
  request: Omit<ApplicationChangeRequest, 'body'> & { account: AccountId },
): Promise<{ lead: Lead; made: WithAppKey }> {
  const { application, appKey } = await createApplication({
    ...request,
    body: prefillFromLead(lead),
  });
  return {
    lead: revise(lead, { applicationId: application.id }, request),
    made: { application: { ...application, admin: { leadId: lead.id } }, appKey },
  };
}
