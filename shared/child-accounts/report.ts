import type { Request } from '../endpoints/endpoint.ts';
import { check } from '../endpoints/validation.ts';
import type { AccountId } from '../id/account-id.ts';
import { memberships } from '../people/users/store.ts';
import { applications } from '../sales/applications/store.ts';
import { leads } from '../sales/leads/store.ts';
import type { Merchant } from '../sales/merchants/schema.ts';
import { merchants } from '../sales/merchants/store.ts';
import { tickets } from '../support/tickets/store.ts';
import { readTotals } from '../table/totals.ts';
import type { ChildAccountReport } from './schema.ts';

/** Returns the numbers of a child account's records, from its totals. Reads no records. */
export async function countRecords(child: AccountId): Promise<ChildAccountReport['counts']> {
  const totals = await readTotals(child);
  const of = ({ noun }: { noun: string }) => totals.get(noun) ?? 0;
  return {
    users: of(memberships),
    leads: of(leads),
    applications: of(applications),
    merchants: of(merchants),
    tickets: of(tickets),
  };
}

/** The fields of the list of merchants that the report uses. */
interface MerchantPage {
  data: Merchant[];
  totalCount: number;
  totalIsLowerBound?: boolean;
}

/** Returns the newest merchants of the calling account whose agent is this account, with the list of merchants. */
export async function merchantsOfAgent(
  request: Request<{ runsLists: true }>,
  agentAccountId: AccountId,
): Promise<ChildAccountReport['agentMerchants']> {
  if (!request.principal.permissions.has('readMerchants')) return undefined;
  const { endpoint, query } = request.lists.merchant;
  const sent = { ...request, params: {}, query: check(query, { agentAccountId: [agentAccountId] }) };
  const { response } = await endpoint.decide(sent, undefined);
  // The list returns a page of merchants.
  const { data, totalCount, totalIsLowerBound } = response as MerchantPage;
  return {
    data: data.map(({ id, merchantName, dba, status }) => ({ id, merchantName, dba, status })),
    totalCount,
    ...(totalIsLowerBound && { totalIsLowerBound }),
  };
}
