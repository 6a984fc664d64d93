import type { AccountId } from '../../id/account-id.ts';
import type { Permission } from '../../resources/registry.ts';
import { leadRotations } from '../../sales/lead-rotations/store.ts';
import { assignedLeads, leads } from '../../sales/leads/store.ts';
import { countOf } from '../../table/secondary-indexes.ts';
import { ticketRotations } from '../ticket-rotations/store.ts';
import { countOpenTickets } from '../tickets/recompute-clocks.ts';
import { countOwned } from './owned-records.ts';
import type { AssignedRecords } from './schema.ts';

export const countLeads = (account: AccountId, userId: string): Promise<number> =>
  countOf(leads, account, [assignedLeads(userId)]);

/** The numbers of records that a reassignment can give to other users. */
export type HeldRecords = Required<
  Pick<AssignedRecords, 'leads' | 'openTickets' | 'applications' | 'merchants'>
>;

/**
 * Counts the records that a user holds. The counters of leads and tickets are exact for any number of records. Applications and
 * merchants are counted in the search index, at most 1,000 of each.
 */
export async function countHeld(account: AccountId, userId: string): Promise<HeldRecords> {
  const [leads, openTickets, applications, merchants] = await Promise.all([
    countLeads(account, userId),
    countOpenTickets(account, userId),
    countOwned(account, 'application', userId),
    countOwned(account, 'merchant', userId),
  ]);
  return { leads, openTickets, applications, merchants };
}

/** Counts the records that name a user. */
export async function countAssignedRecords(
  account: AccountId,
  userId: string,
): Promise<Required<AssignedRecords>> {
  const count = (rotations: readonly { userRotationArray: readonly { userId: string }[] }[]) =>
    rotations.filter(({ userRotationArray }) => userRotationArray.some((member) => member.userId === userId))
      .length;
  const [held, ofLeads, ofTickets] = await Promise.all([
    countHeld(account, userId),
    leadRotations.choices(account),
    ticketRotations.choices(account),
  ]);
  return { ...held, leadRotations: count(ofLeads), ticketRotations: count(ofTickets) };
}

/** Omits the counts of records that the caller may not read. */
export const readableCounts = (
  { leads, openTickets, applications, merchants, leadRotations, ticketRotations }: Required<AssignedRecords>,
  permissions: ReadonlySet<Permission>,
): AssignedRecords => ({
  ...(permissions.has('readLeads') && { leads }),
  ...(permissions.has('readTickets') && { openTickets }),
  ...(permissions.has('readApplications') && { applications }),
  ...(permissions.has('readMerchants') && { merchants }),
  ...(permissions.has('readLeadRotations') && { leadRotations }),
  ...(permissions.has('readTicketRotations') && { ticketRotations }),
});
