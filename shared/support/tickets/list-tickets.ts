import { filterByTime } from '../../endpoints/list-filters.ts';
import type { AccountId } from '../../id/account-id.ts';
import { uniqueIdOf } from '../../id/unique-id.ts';
import { readHeldTotals } from '../../people/ownership/count-shared.ts';
import { teams } from '../../people/teams/store.ts';
import {
  type Assigned,
  assignees,
  filtersByInactive,
  listAssignedTo,
} from '../../people/users/assignee-filter.ts';
import { unassigned } from '../../people/users/unassigned.ts';
import { applications } from '../../sales/applications/store.ts';
import { leads } from '../../sales/leads/store.ts';
import { shownMids } from '../../sales/merchants/shown-mids.ts';
import { merchants } from '../../sales/merchants/store.ts';
import { mids } from '../../sales/mids/store.ts';
import { isSameText } from '../../search/fold-text.ts';
import { figuresOf } from '../../sla/figures.ts';
import { type SlaFigures, type TicketStatus, ticketStatuses } from '../../sla/schema.ts';
import { converted, type ListSource, shortListSource } from '../../table/list-source.ts';
import { countOf, listOfIndex } from '../../table/secondary-indexes.ts';
import { ticketTypes } from '../ticket-types/store.ts';
import { indexedTicketFields } from './indexed-fields.ts';
import type { Ticket } from './schema.ts';
import { tickets } from './store.ts';
import type { TicketSummary } from './stored-ticket.ts';
import { summarizeTicket } from './summarize-ticket.ts';
import { idsOfTicketNumbers, parseTicketNumber } from './ticket-number.ts';

/** The records to which filters refer. */
export const ticketReferences = {
  assignedTo: assignees,
  assignedTeamId: teams,
  merchantId: merchants,
  leadId: leads,
  applicationId: applications,
  midId: { ...mids, shown: shownMids },
  ticketTypeId: ticketTypes,
  // An unknown number is no error, because people type it.
  ticketNumber: {
    idFrom: parseTicketNumber,
    findMany: async (_: AccountId, numbers: readonly string[]) => numbers,
  },
};

const dueBefore = (field: string, target: string) =>
  filterByTime(
    indexedTicketFields,
    field,
    `Only tickets whose ${target} is due before this time, or overdue. Omits tickets whose ${target} was given, and tickets that wait for the customer, because their clock is paused.`,
  );

export const dueFilters = {
  slaFirstResponseDueBefore: dueBefore('slaFirstResponseDue', 'first response'),
  slaResolutionDueBefore: dueBefore('slaResolutionDue', 'resolution'),
};

type ListedTicket = TicketSummary & SlaFigures & Assigned;

interface IndexedFilters {
  status?: readonly TicketStatus[];
  assignedTo?: readonly string[];
  ticketNumber?: readonly string[];
}

export const hasTicketNumber = ({ ticketNumber }: TicketSummary, numbers: readonly string[]): boolean =>
  numbers.some((number) => parseTicketNumber(number) === ticketNumber);

export const hasTag = ({ tags }: TicketSummary, wanted: readonly string[]): boolean =>
  wanted.some((tag) => tags.some((one) => isSameText(one, tag)));

/**
 * Returns the number of reads for the indexed filters: one per index partition, or one per ticket number. The index
 * cannot apply the value `inactive`.
 */
export function ticketPartitions({ status, assignedTo, ticketNumber }: IndexedFilters): number {
  if (filtersByInactive(assignedTo)) return Number.POSITIVE_INFINITY;
  if (ticketNumber) return ticketNumber.length;
  if (assignedTo) return assignedTo.length * (status ?? ticketStatuses).length;
  return status?.length ?? 0;
}

/**
 * Returns a list source of the tickets that match the indexed filters, with their SLA fields at `now`. `wanted` is the
 * value of the filter `assignedTo`.
 */
export const ticketsOf = (
  account: AccountId,
  answered: IndexedFilters,
  wanted: unknown,
  now: Date,
): ListSource<Ticket, ListedTicket> =>
  listAssignedTo<Ticket, ListedTicket>(account, wanted, (holders) => {
    const listed = (ticket: TicketSummary): ListedTicket => ({ ...ticket, ...figuresOf(ticket.clock, now) });
    const withFigures = (answeredFilters: IndexedFilters) =>
      converted(sourceOf(account, answeredFilters), async () => listed);
    return {
      ...withFigures({ ...answered, assignedTo: answered.assignedTo && holders }),
      ...(wanted === undefined && {
        heldBy: {
          field: 'assignedTo',
          list: (owners) => withFigures({ assignedTo: owners }),
          totals: (owners, participants) =>
            readHeldTotals(tickets, account, countersOf(placesOf(owners, ticketStatuses)), participants),
        },
      }),
      show: async (page) => page.map((ticket) => ({ ...ticket, uniqueId: uniqueIdOf('tkt', ticket.id) })),
    };
  });

function sourceOf(account: AccountId, answered: IndexedFilters): ListSource<TicketSummary> {
  const { status, assignedTo: holders, ticketNumber } = answered;
  if (ticketNumber) return shortListSource(() => findNumbered(account, ticketNumber, answered));
  const statuses = status ?? (holders && ticketStatuses);
  if (!statuses) return tickets.listOf(account);
  const places = holders && placesOf(holders, statuses);
  const partitions = places?.map(({ holder, of }) => [holder, of]) ?? statuses.map((of) => [of]);
  const names = places ? countersOf(places) : statuses.map((of) => ({ of }));
  const count = () => countOf(tickets, account, names);
  return listOfIndex<TicketSummary>(tickets, account, holders ? 'holder' : 'state', partitions, count);
}

/** The tickets of a holder with a status, which are a partition of the index `holder` and have a counter. */
interface Place {
  holder: string;
  of: TicketStatus;
}

const placesOf = (holders: readonly string[], statuses: readonly TicketStatus[]): Place[] =>
  holders.flatMap((holder) => statuses.map((of) => ({ holder, of })));

const countersOf = (places: readonly Place[]) => places.map(({ holder, of }) => ({ of, within: [holder] }));

/** Returns the tickets with these numbers that match the other indexed filters, newest first. */
async function findNumbered(
  account: AccountId,
  texts: readonly string[],
  { status, assignedTo }: IndexedFilters,
): Promise<TicketSummary[]> {
  const numbers = texts.map(parseTicketNumber).filter((number) => number !== undefined);
  const ids = await idsOfTicketNumbers(account, numbers);
  const found = await tickets.findMany(account, [...ids.values()]);
  return found
    .filter((ticket) => !status || status.includes(ticket.status))
    .filter(({ assignedTo: holder = unassigned }) => !assignedTo || assignedTo.includes(holder))
    .sort((one, other) => other.id - one.id)
    .map(summarizeTicket);
}
