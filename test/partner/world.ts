import type { ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import completeApplicationDocument from '../../functions/applications/complete-application-document.ts';
import createApplication from '../../functions/applications/create-application.ts';
import createApplicationDocument from '../../functions/applications/create-application-document.ts';
import decideApplication from '../../functions/applications/decide-application.ts';
import readApplication from '../../functions/applications/read-application.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import submitToPartner from '../../functions/applications/submit-to-partner.ts';
import receivePartnerEvent from '../../functions/integrations/receive-partner-event.ts';
import savePartnerConnection from '../../functions/integrations/save-partner-connection.ts';
import { startLoopbackServer } from '../../infra/administration/loopback-server.ts';
import {
  type PartnerBehaviour,
  type PartnerSimulator,
  startPartnerSimulator,
} from '../../infra/administration/partner/simulator.ts';
import { describedScan } from '../../infra/administration/upload-file.ts';
import { call } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { filledApplication } from '../harness/filled-application.ts';
import { eventsAbout } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { withFile } from '../routes/uploaded-document.ts';

const unanswered = new Set<ServerResponse>();
/** The events of partners arrive here. The path contains the account. */
const entrance = await startLoopbackServer(async (request, response) => {
  unanswered.add(response);
  const rawBody = await buffer(request);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const accountId = String(request.url?.split('/').at(-2));
  const { status } = await call(receivePartnerEvent, { params: { accountId }, rawBody, headers });
  unanswered.delete(response);
  response.writeHead(status).end();
});
/** Closes the connections of events whose function was killed, as the gateway does. The partner sends them again. */
export function closeUnanswered(): void {
  for (const response of unanswered) response.destroy();
  unanswered.clear();
}
const simulators = new Set<PartnerSimulator>();
afterAll(async () => {
  for (const simulator of simulators) await simulator.stop();
  await entrance.stop();
});

/** An account that is connected to a simulated partner. */
export interface Connected {
  owner: Tenant;
  partner: PartnerSimulator;
  secret: string;
}

export async function connected(
  behaviour: PartnerBehaviour = {},
  { withKey = true, owner }: { withKey?: boolean; owner?: Tenant } = {},
): Promise<Connected> {
  const acme = owner ?? (await tenant());
  const known = { secret: '' };
  const partner = await startPartnerSimulator({
    secret: () => known.secret,
    eventsUrl: () => `${entrance.endpoint}/integrations/partner/${acme.accountId}/events`,
    behaviour,
    now: clock.now,
  });
  simulators.add(partner);
  const { url, publicKey } = partner;
  const { secret = '' } = await acme.admin.ok(savePartnerConnection, {
    body: { url, active: true, ...(withKey && { publicKey }) },
  });
  known.secret = secret;
  const body = { requireCompleteApplication: false };
  await acme.admin.ok(updateAccount, { params: { id: acme.accountId }, body });
  return { owner: acme, partner, secret };
}

/** An approved application with sensitive values and a document. Returns its parameters. */
export async function approved({ admin, ...owner }: Tenant) {
  const { id: applicationId } = await admin.ok(createApplication, { body: filledApplication });
  const params = { applicationId };
  const document = await admin.ok(createApplicationDocument, {
    params,
    body: { ...describedScan, documentKey: 'voided-check' },
  });
  const { id: documentId } = document as { id: string };
  await withFile(completeApplicationDocument)({ admin, ...owner }, { ...params, documentId }, document);
  await admin.ok(submitApplication, { params });
  await admin.ok(decideApplication, { params, body: { decision: 'approved' } });
  return params;
}

/** Submits a new approved application to the partner, and processes the queues. */
export async function submitted({ owner }: Connected) {
  const params = await approved(owner);
  await owner.admin.ok(submitToPartner, { params });
  await drain();
  return params;
}

export const partnerStateOf = async ({ admin }: Tenant, params: { applicationId: string }) =>
  (await admin.ok(readApplication, { params })).admin?.partner;

/** The kinds of an application's events that concern the partner, oldest first. */
export const partnerKindsOf = async ({ accountId }: Tenant, id: string): Promise<string[]> =>
  (await eventsAbout(accountId, id))
    .map(({ kind }) => String(kind))
    .filter((kind) => kind.includes('partner'));
