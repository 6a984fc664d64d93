import { type DemoCompany, ensureNamed, readAll } from './company.ts';

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
    const [accountTypeId] = await ensureNamed(company, '/account-types', [agentType]);
    const known = await readAll<{ name: string }>(company, '/accounts/children');
    if (known.some((child) => child.name === name)) return;
    const adminEmail = `agent.${plan.seed}.${account.replaceAll('_', '-')}@example.com`;
    await send('POST', '/accounts', { name, accountTypeId, adminEmail });
  });
}
