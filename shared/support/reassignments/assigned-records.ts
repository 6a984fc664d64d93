import type { AccountId } from '../../id/account-id.ts';
import type { Permission } from '../../resources/registry.ts';
import { leadRotations } from '../../sales/lead-rotations/store.ts';
import { assignedLeads, leads } from '../../sales/leads/store.ts';
import { countOf } from '../../table/views.ts';
import { ticketRotations } from '../ticket-rotations/store.ts';
import { countOpenTickets } from '../tickets/recompute-clocks.ts';
import type { AssignedRecords } from './schema.ts';

export const countLeads = (account: AccountId, userId: string): Promise<number> =>
  countOf(leads, account, [assignedLeads(userId)]);

/** Counts the records that name a user. The counters of leads and tickets are exact for any number of records. */
export async function countAssignedRecords(
  account: AccountId,
  userId: string,
): Promise<Required<AssignedRecords>> {
  const count = (rotations: readonly { userRotationArray: readonly { userId: string }[] }[]) =>
    rotations.filter(({ userRotationArray }) => userRotationArray.some((member) => member.userId === userId))
      .length;
  const [leads, openTickets, ofLeads, ofTickets] = await Promise.all([
    countLeads(account, userId),
    countOpenTickets(account, userId),
    leadRotations.choices(account),
    ticketRotations.choices(account),
  ]);
  return { leads, openTickets, leadRotations: count(ofLeads), ticketRotations: count(ofTickets) };
}

/** Omits the counts of records that the caller may not read. */
export const readableCounts = (
  { leads, openTickets, leadRotations, ticketRotations }: Required<AssignedRecords>,
  permissions: ReadonlySet<Permission>,
): AssignedRecords => ({
  ...(permissions.has('readLeads') && { leads }),
  ...(permissions.has('readTickets') && { openTickets }),
  ...(permissions.has('readLeadRotations') && { leadRotations }),
  ...(permissions.has('readTicketRotations') && { ticketRotations }),
});
