import type { EventKind } from '../../../shared/resources/registry.ts';
import { type DemoCompany, readAll } from './company.ts';

interface PlannedWebhook {
  description: string;
  url: string;
  events: EventKind[];
  active?: boolean;
}

/** Creates a webhook that fails, because its endpoint does not exist, and two inactive webhooks. */
export async function createWebhooks(
  { client, plan, send, ...company }: DemoCompany,
  local: boolean,
): Promise<void> {
  const planned: PlannedWebhook[] = [
    {
      description: `Demo ${plan.seed}: accounting (fails)`,
      // Nothing listens at the port, and names below .invalid never have an address (RFC 6761).
      url: local ? 'http://127.0.0.1:9/accounting' : 'https://accounting.invalid/',
      events: ['merchant_created', 'underwriting_decision_made'],
    },
    {
      description: `Demo ${plan.seed}: sales dashboard (off)`,
      url: 'https://dashboard.invalid/leads',
      events: ['lead_created', 'lead_converted'],
      active: false,
    },
    {
      description: `Demo ${plan.seed}: help desk (off)`,
      url: 'https://helpdesk.invalid/tickets',
      events: ['ticket_created', 'ticket_status_changed'],
      active: false,
    },
  ];
  const known = await readAll<{ description?: string }>({ client }, '/webhooks');
  await company.each('webhooks', planned, async (webhook) => {
    if (!known.some(({ description }) => description === webhook.description))
      await send('POST', '/webhooks', webhook);
  });
}
