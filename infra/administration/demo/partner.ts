import { ResponseError } from '../../client/client.ts';
import { defaultSimulatorPort } from '../partner/simulator-port.ts';
import { at, type DemoCompany } from './company.ts';
import type { Staff } from './staff.ts';

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
