import { setTimeout as sleep } from 'node:timers/promises';
import { type PartnerBehaviour, startPartnerSimulator } from '../../administration/partner/simulator.ts';
import type { Caller, TriggeredSubject } from './caller.ts';
import { otherAccount } from './other-account.ts';
import { submittedApplication } from './records.ts';

/**
 * Connects another account to a simulated partner and submits an application to it. An account has at most one partner,
 * so the caller's own connection is not used. The simulator stops at the end.
 */
async function submitted(caller: Caller, behaviour: PartnerBehaviour) {
  const { accountId, apiKey, apiSecret } = await otherAccount(caller);
  const log = caller.as({ apiKey, apiSecret, account: accountId });
  let secret = '';
  const partner = await startPartnerSimulator({
    secret: () => secret,
    eventsUrl: () => `${caller.baseUrl}/integrations/partner/${accountId}/events`,
    behaviour,
  });
  caller.atEnd(() => partner.stop());
  const { url, publicKey } = partner;
  const saved = await log('PUT', '/integrations/partner/connection', { url, publicKey, active: true });
  secret = String((saved as { secret?: string }).secret);
  const { id: applicationId, path } = await submittedApplication({ ...caller, send: log });
  await log('POST', `${path}/decision`, { decision: 'approved' });
  await log('POST', `${path}/partner-submission`);
  return { accountId, applicationId, log, partner };
}

const aboutApplication =
  (behaviour: PartnerBehaviour) =>
  async (caller: Caller): Promise<TriggeredSubject> => {
    const { applicationId, log } = await submitted(caller, behaviour);
    return { id: applicationId, log };
  };

/** The partner changes the status without an event, and the service reads the status. */
async function synced(caller: Caller): Promise<TriggeredSubject> {
  const { applicationId, log, partner } = await submitted(caller, { silent: true });
  await until(() => partner.applications.has(applicationId));
  const application = partner.applications.get(applicationId);
  if (application) partner.statusEvent(application, 'in_review');
  await until(async () => {
    type Found = { admin?: { partner?: { partnerId?: string } } };
    const { admin } = await log<Found>('GET', `/applications/${applicationId}?reveal=false`);
    return admin?.partner?.partnerId !== undefined;
  });
  await log('POST', `/applications/${applicationId}/partner-sync`);
  return { id: applicationId, log };
}

/** Waits until the condition is met, at most one minute. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(200))
    if (await condition()) return;
}

const aboutAccount =
  (behaviour: PartnerBehaviour) =>
  async (caller: Caller): Promise<TriggeredSubject> => {
    const { accountId, log } = await submitted(caller, behaviour);
    return { id: accountId, log };
  };

/** The actions for the event kinds of the exchange with the partner. */
export const partnerTriggers = {
  partner_webhook_received: aboutAccount({}),
  application_sent_to_partner: aboutApplication({ silent: true }),
  partner_integration_error: aboutAccount({ failing: 422 }),
  partner_status_synced: synced,
  partner_status_updated: aboutApplication({}),
  partner_documents_transferred: aboutApplication({}),
  partner_note_received: aboutApplication({}),
};
