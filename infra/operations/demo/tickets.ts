import type { Identified } from '../send-requests.ts';
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

/**
 * Creates the tickets with their comments. A ticket keeps the SLA policy of its creation, so the account has the
 * shortest targets only while the tickets are created that miss their targets a minute later.
 */
export async function createTickets(
  company: DemoCompany,
  { staff, merchants }: { staff: Staff; merchants: readonly number[] },
): Promise<void> {
  const { plan, send, account } = company;
  const known = new Map(
    (await readAll<KnownTicket>(company, '/tickets')).flatMap((ticket) =>
      ticket.tags.map((tag) => [tag, ticket] as const),
    ),
  );
  const create = (ticket: TicketPlan) =>
    createTicket(company, { staff, merchants }, ticket, known.get(ticket.fields.tags[0]));
  const [breached, others] = [true, false].map((is) => plan.tickets.filter((one) => one.breached === is));
  const settings = `/accounts/${account}`;
  if (breached?.some(({ fields }) => !known.has(fields.tags[0])))
    await send('PATCH', settings, { slaTargets: shortest });
  await company
    .each('tickets that miss their targets', breached ?? [], create)
    .finally(() => send('PATCH', settings, { slaTargets: usual }));
  await company.each('tickets', others ?? [], create);
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
  const ticket: Identified = known ?? (await send('POST', '/tickets', body));
  const path = `/tickets/${ticket.id}`;
  for (const comment of comments.slice(await answeredIn(send, path, comments, known)))
    await send('POST', `${path}/comments`, comment);
  if (status !== 'open' && known?.status !== status) await send('PATCH', path, { status });
}

/** Used if a merchant has no principal with a name and an email. */
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
