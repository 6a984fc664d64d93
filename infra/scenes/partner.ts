import { setTimeout as sleep } from 'node:timers/promises';
import { type PartnerBehaviour, startPartnerSimulator } from '../administration/partner/simulator.ts';
import type { HttpCaller } from './http-caller.ts';
import { createAt, perform } from './perform.ts';
import { recordPaths } from './records.ts';

/**
 * Connects another account to a simulated partner and submits an application to it. An account has at most one partner,
 * so the caller's own connection is not used. The simulator stops at the end.
 */
async function submitted(caller: HttpCaller, behaviour: PartnerBehaviour) {
  const account = await caller.another();
  let secret = '';
  const partner = await startPartnerSimulator({
    secret: () => secret,
    eventsUrl: () => `${caller.baseUrl}/integrations/partner/${account.account}/events`,
    behaviour,
  });
  caller.atEnd(() => partner.stop());
  const { url, publicKey } = partner;
  const body = { url, publicKey, active: true };
  ({ secret } = await account.send<{ secret: string }>('PUT /integrations/partner/connection', { body }));
  const { params } = await createAt(account, recordPaths.application);
  await perform(account, 'POST /applications/{applicationId}/decision', { params });
  await account.send('POST /applications/{applicationId}/partner-submission', { params });
  return { account, params, partner };
}

/** Submits an application to a partner with this behaviour. */
export const atPartner = (behaviour: PartnerBehaviour) => (caller: HttpCaller) =>
  submitted(caller, behaviour);

/** The partner changes the status without an event, and the service reads the status. */
export async function syncedWithPartner(caller: HttpCaller): Promise<void> {
  const { account, params, partner } = await submitted(caller, { silent: true });
  const applicationId = String(params.applicationId);
  await until(() => partner.applications.has(applicationId));
  const application = partner.applications.get(applicationId);
  if (application) partner.statusEvent(application, 'in_review');
  await until(async () => {
    type Found = { admin?: { partner?: { partnerId?: string } } };
    const query = { reveal: false };
    const { admin } = await account.send<Found>('GET /applications/{applicationId}', { params, query });
    return admin?.partner?.partnerId !== undefined;
  });
  await account.send('POST /applications/{applicationId}/partner-sync', { params });
}

/** Waits until the condition is met, at most one minute. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(200))
    if (await condition()) return;
}
