import { randomBytes } from 'node:crypto';
import type { EventKind } from '../../../shared/resources/registry.ts';
import { ResponseError } from '../../client/client.ts';
import { defaultSimulatorPort } from '../partner/simulator-port.ts';
import { at, type DemoCompany, ensure, readAll } from './company.ts';
import type { Staff } from './staff.ts';

/** Requests a vanity domain. It cannot be validated, because example.com is reserved (RFC 2606). */
export const createVanityDomain = (company: DemoCompany) =>
  ensure(
    company,
    '/domains',
    'domain',
    [{ domain: `pay-demo-${company.plan.seed}.example.com` }],
    'vanity domains',
  );

/**
 * Connects an identity provider, which does not exist, and maps its groups to the roles of the plan. Does not change existing
 * groups.
 */
export async function connectIdentityProvider(company: DemoCompany): Promise<void> {
  const { plan, send } = company;
  const connection = {
    issuer: 'https://login.example.com',
    clientId: `demo-${plan.seed}`,
    authentication: 'client_secret_basic',
    clientSecret: randomBytes(24).toString('base64url'),
    domains: [],
    returnUrls: ['https://portal.example.com/signed-in'],
  };
  await ensure(company, '/sso-connections', 'clientId', [connection]);
  const { groups } = await send<{ groups: unknown[] }>('GET', '/provisioning');
  if (groups.length > 0) return;
  const roles = await readAll<{ id: number; name: string }>(company, '/roles');
  const planned = roles.filter(({ name }) => plan.roles.some((role) => role.name === name));
  await send('PUT', '/provisioning', {
    groups: planned.map(({ id, name }) => ({ displayName: `${name}s`, roleId: id })),
  });
}

/** Creates a webhook that fails, because its endpoint does not exist, and two inactive webhooks. */
export async function createWebhooks(company: DemoCompany, local: boolean): Promise<void> {
  const webhook = (name: string, url: string, events: EventKind[], active = false) => ({
    description: `Demo ${company.plan.seed}: ${name}`,
    ...{ url, events, active },
  });
  // Nothing listens at the port, and names below .invalid never have an address (RFC 6761).
  const failing = local ? 'http://127.0.0.1:9/accounting' : 'https://accounting.invalid/';
  const planned = [
    webhook('accounting (fails)', failing, ['merchant_created', 'underwriting_decision_made'], true),
    webhook('sales dashboard (off)', 'https://dashboard.invalid/leads', ['lead_created', 'lead_converted']),
    webhook('help desk (off)', 'https://helpdesk.invalid/tickets', [
      'ticket_created',
      'ticket_status_changed',
    ]),
  ];
  await ensure(company, '/webhooks', 'description', planned, 'webhooks');
}

/** The partner's categories of support requests, and the index of their ticket type in the plan. */
const categories = [
  { partnerCategoryId: 7, partnerCategoryName: 'Terminals', type: 0 },
  { partnerCategoryId: 12, partnerCategoryName: 'Statements', type: 1 },
];

/**
 * Creates the connection to the simulated partner of `npm run partner`, and maps its categories to ticket types. Sends
 * nothing to the partner, which does not have to run. Does not change an existing connection.
 */
export async function createPartner(
  company: DemoCompany,
  { ticketTypes }: Staff,
  local: boolean,
): Promise<void> {
  const { send } = company;
  const path = '/integrations/partner/ticket-type-mappings';
  const { data: known } = await send<{ data: { partnerCategoryId: number }[] }>('GET', path);
  for (const { type, ...category } of categories)
    if (!known.some(({ partnerCategoryId }) => partnerCategoryId === category.partnerCategoryId))
      await send('POST', path, { ...category, serviceTicketTypeId: at(ticketTypes, type) });
  if (await isConnected(company)) return;
  await send('PUT', '/integrations/partner/connection', {
    url: local ? `http://127.0.0.1:${defaultSimulatorPort}` : 'https://partner.invalid/',
    active: local,
    defaultTicketTypeId: at(ticketTypes, 2),
  });
}

async function isConnected({ send }: DemoCompany): Promise<boolean> {
  try {
    await send('GET', '/integrations/partner/connection');
    return true;
  } catch (error) {
    if (error instanceof ResponseError && error.status === 404) return false;
    throw error;
  }
}

interface SentApplication {
  externalKeyId?: number;
}

/**
 * Creates the API key of a lead vendor, who sends leads and an application through the external API. The secret of a key
 * is shown only once. So if an earlier run stopped before it sent the application, its key is replaced.
 */
export async function createVendor(company: DemoCompany): Promise<void> {
  const { plan, client, send } = company;
  const description = `Demo ${plan.seed}: lead vendor`;
  await company.each('records of a vendor', [plan.vendor], async ({ leads, application }) => {
    type Key = { id: number; description: string };
    const known = (await readAll<Key>(company, '/apikeys')).find((key) => key.description === description);
    const sent = known && (await readAll<SentApplication>(company, '/applications'));
    if (known && sent?.some(({ externalKeyId }) => externalKeyId === known.id)) return;
    if (known) await send('DELETE', `/apikeys/${known.id}`);
    const { apiKey, apiSecret } = await send<{ apiKey: string; apiSecret: string }>('POST', '/apikeys', {
      description,
      flatPermissionsList: ['useExternalApi'],
    });
    const { token } = await send<{ token: string }>('POST', '/auth/login', { apiKey, apiSecret });
    // Nothing interrupts the two requests, because a later run does not know the secret.
    const headers = { authorization: `Bearer ${token}` };
    await client.POST('/extapi/leads/batch', { body: { leads: [...leads] }, headers });
    await client.POST('/extapi/applications', { body: application, headers });
  });
}
