import type { WithId } from '../send-requests.ts';
import { at, type DemoCompany, readAll } from './company.ts';
import type { TicketPlan } from './plan.ts';
import type { Staff } from './staff.ts';

interface KnownTicket {
  id: number;
  status: string;
  tags: string[];
  responseCount: number;
  internalNoteCount?: number;
}

/** Minutes to the first response and to the resolution. One minute is the shortest target that the API accepts. */
const shortest = { urgent: { firstResponse: 1, resolution: 1 } };
const usual = {
  urgent: { firstResponse: 30, resolution: 240 },
  high: { firstResponse: 60, resolution: 480 },
  medium: { firstResponse: 240, resolution: 1440 },
  low: { firstResponse: 480, resolution: 2880 },
};

/** Returns the known tickets by tag. */
async function knownTickets(company: DemoCompany): Promise<Map<string, KnownTicket>> {
  const tickets = await readAll<KnownTicket>(company, '/tickets');
  return new Map(tickets.flatMap((ticket) => ticket.tags.map((tag) => [tag, ticket] as const)));
}

/**
 * Creates the tickets that miss their targets a minute later. A ticket keeps the SLA targets that the account
 * had when the ticket was created. So the account has the shortest targets only during this step.
 */
export async function createBreachedTickets(company: DemoCompany, staff: Staff): Promise<void> {
  const { plan, send, account } = company;
  const known = await knownTickets(company);
  const breached = plan.tickets.filter((ticket) => ticket.breached);
  const settings = `/accounts/${account}` as const;
  if (!breached.every(({ fields }) => known.has(fields.tags[0])))
    await send('PATCH', settings, { slaTargets: shortest });
  try {
    await company.each('tickets that miss their targets', breached, (ticket) =>
      createTicket(company, { staff, merchants: [] }, ticket, known.get(ticket.fields.tags[0])),
    );
  } finally {
    // This request does not use `send`, so it is sent even if the command was interrupted.
    await company.client.PATCH(settings, { body: { slaTargets: usual } });
  }
}

/** Creates the tickets that do not miss their targets, with their comments. */
export async function createTickets(
  company: DemoCompany,
  records: { staff: Staff; merchants: readonly number[] },
): Promise<void> {
  const known = await knownTickets(company);
  const others = company.plan.tickets.filter(({ breached }) => !breached);
  await company.each('tickets', others, (ticket) =>
    createTicket(company, records, ticket, known.get(ticket.fields.tags[0])),
  );
}

async function createTicket(
  { send }: DemoCompany,
  { staff, merchants }: { staff: Staff; merchants: readonly number[] },
  { fields, requester, type, assignee, comments, status }: TicketPlan,
  known: KnownTicket | undefined,
): Promise<void> {
  const body = {
    ...fields,
    ...(typeof requester === 'number'
      ? { requesterType: 'merchant', requesterId: String(at(merchants, requester)), ...shop }
      : {
          requesterType: 'external',
          requesterId: requester.email,
          requesterName: `${requester.firstName} ${requester.lastName}`,
          requesterEmail: requester.email,
        }),
    ...(type !== undefined && { ticketTypeId: at(staff.ticketTypes, type) }),
    ...(assignee === undefined
      ? { assignedTeamId: at(staff.teams, 2) }
      : { assignedTo: at(staff.users, assignee) }),
  };
  const ticket: WithId = known ?? (await send('POST', '/tickets', body));
  const path = `/tickets/${ticket.id}`;
  for (const comment of comments.slice(await answeredIn(send, path, comments, known)))
    await send('POST', `${path}/comments`, comment);
  if (status !== 'open' && known?.status !== status) await send('PATCH', path, { status });
}

/** The requester if a merchant has no principal with a name and an email. */
const shop = { requesterName: 'Shop Placeholder', requesterEmail: 'shop@example.com' };

/** The number of comments that an earlier run created. */
async function answeredIn(
  send: DemoCompany['send'],
  path: string,
  comments: TicketPlan['comments'],
  known: KnownTicket | undefined,
): Promise<number> {
  if (!known) return 0;
  const staff = comments.filter(({ authorType }) => authorType === 'staff');
  if (known.responseCount + (known.internalNoteCount ?? 0) >= staff.length) return comments.length;
  const { totalCount } = await send<{ totalCount: number }>('GET', `${path}/comments?pageSize=1`);
  return totalCount;
}
