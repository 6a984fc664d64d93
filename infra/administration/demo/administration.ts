import { at, type DemoCompany, ensure, readAll } from './company.ts';
import type { Staff } from './staff.ts';

/** The permissions of an agent's account: it finds merchants and follows their applications. */
const agentType = {
  name: 'Demo agent',
  permissions: [
    'readLeads',
    'writeLeads',
    'readApplications',
    'writeApplications',
    'readUsers',
    'writeUsers',
    'readNotifications',
  ],
  limits: { users: 10, apiKeys: 2, webhooks: 1, requestsPerMinute: 600 },
};

/** Creates an account type, and the account of an agent with this type, who is invited by mail. */
export async function createAgentAccount(company: DemoCompany): Promise<void> {
  const { account, plan, send } = company;
  const name = `Demo ${plan.seed}: agent`;
  await company.each('the account of an agent', [name], async () => {
    const [type] = await ensure(company, '/account-types', 'name', [agentType]);
    const known = await readAll<{ name: string }>(company, '/accounts/children');
    if (known.some((child) => child.name === name)) return;
    const adminEmail = `agent.${plan.seed}.${account.replaceAll('_', '-')}@example.com`;
    await send('POST', '/accounts', { name, accountTypeId: type?.id, adminEmail });
  });
}

interface KnownImpersonation {
  reason: string;
  expiresAt: string;
  endedAt?: string;
}

const reason = 'Demo: The list of leads is empty';

/** Acts as the first user and ends the impersonation. The user is informed by mail and in the inbox. */
export async function createImpersonation(company: DemoCompany, { users }: Staff): Promise<void> {
  const { account, send } = company;
  const path = `/users/${at(users, 0)}`;
  await company.each('impersonations', [path], async () => {
    const { impersonationForbidden } = await send<{ impersonationForbidden?: boolean }>(
      'GET',
      `/accounts/${account}`,
    );
    if (impersonationForbidden) return;
    const known = (await readAll<KnownImpersonation>(company, `${path}/impersonations`)).find(
      (one) => one.reason === reason,
    );
    if (!known) await send('POST', `${path}/impersonation`, { reason });
    // An earlier run may have stopped before the end.
    const isOpen = !known || (known.endedAt === undefined && Date.parse(known.expiresAt) > Date.now());
    if (isOpen) await send('DELETE', `${path}/impersonation`);
  });
}

/**
 * Switches the capture of bodies on for 14 days, and adds a note to the first merchant. The event of the note has both
 * bodies. Capture starts after the other records, because a captured change writes one more item.
 */
export async function createCapturedBodies(
  company: DemoCompany,
  merchants: readonly number[],
): Promise<void> {
  const { account, send } = company;
  const notes = `/merchants/${at(merchants, 0)}/notes`;
  const content = 'Demo: the service captured the request and the response of this note.';
  await company.each('captured bodies', [notes], async () => {
    const known = await readAll<{ content: string }>(company, notes);
    if (known.some((note) => note.content === content)) return;
    const path = `/accounts/${account}`;
    const { bodyCaptureUntil = '' } = await send<{ bodyCaptureUntil?: string }>('GET', path);
    const isOn = Date.parse(bodyCaptureUntil) > Date.now();
    if (!isOn) await send('PUT', `${path}/body-capture`, { days: 14 });
    await send('POST', notes, { content });
  });
}
