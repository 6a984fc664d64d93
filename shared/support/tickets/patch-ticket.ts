import { accountPolicy } from '../../accounts/policy-of.ts';
import type { StoredAccount } from '../../accounts/schema.ts';
import type { AccountId } from '../../id/account-id.ts';
import { teams } from '../../people/teams/store.ts';
import { requireAssignee } from '../../people/users/store.ts';
import { inParallel, readAndCheck } from '../../table/in-parallel.ts';
import type { Authored } from '../../table/revise.ts';
import type { CustomField } from '../ticket-types/schema.ts';
import { ticketTypes } from '../ticket-types/store.ts';
import { type ChangeContext, type ChangedTicket, changeTicket, type TicketChange } from './change-ticket.ts';
import { teamUnknown } from './new-ticket.ts';
import { policyFor, readTicket, type TicketReader } from './read-ticket.ts';
import {
  type ReassigningRequest,
  type Reassignment,
  reassignmentFor,
  reassignOnReopen,
} from './reassign-on-reopen.ts';
import type { TicketPatch } from './schema.ts';
import type { StoredTicket } from './stored-ticket.ts';

interface ReadForChange {
  ticket: StoredTicket;
  change: TicketChange;
  definitions?: readonly CustomField[];
  reassignment?: Reassignment;
}

/** Reads a ticket and the records that a PATCH needs. Throws the errors of `readTicket`, `user_unknown` or `team_unknown`. */
export async function readForPatch(
  input: TicketReader,
  reference: string,
  body: TicketPatch,
): Promise<ReadForChange> {
  const { account } = input;
  const reading = readTicket(input, reference);
  const { assignedTo, assignedTeamId } = body;
  const [[ticket, assigned]] = await inParallel([
    readAndCheck(reading, changeFor(account, { assignedTo }), (held) => held.assignedTo === assignedTo),
    readAndCheck(
      reading,
      changeFor(account, { assignedTeamId }),
      (held) => held.assignedTeamId === assignedTeamId,
    ),
  ]);
  // If `assignedTo` does not change, it is treated as omitted, so that a reopened ticket can be reassigned.
  const change = { ...body, assignedTo: assigned?.assignedTo };
  const [definitions, reassignment] = await Promise.all([
    change.customFields && definitionsOf(account, ticket),
    reassignmentFor(account, ticket, change),
  ]);
  return { ticket, change, definitions, reassignment };
}

/** Converts a body to a change that contains the assignee's id. Throws `user_unknown`, then `team_unknown`. */
export async function changeFor(account: AccountId, body: TicketPatch): Promise<TicketChange> {
  const [assignee] = await inParallel([
    body.assignedTo ? requireAssignee(account, body.assignedTo) : undefined,
    teams.requireActive(account, body.assignedTeamId, teamUnknown()),
  ]);
  return assignee ? { ...body, assignedTo: String(assignee.id) } : body;
}

/** Applies a change. If the change reopens a ticket whose assignee is not active, the ticket is reassigned. */
export async function decideChange(
  request: ReassigningRequest & { accountRecord: StoredAccount },
  { ticket, change, definitions, reassignment }: ReadForChange,
): Promise<ChangedTicket> {
  const context = { ...(await contextOf(ticket, request)), definitions };
  const changed = changeTicket(ticket, change, context);
  return reassignment
    ? changeTicket(ticket, await reassignOnReopen(change, reassignment, request), context)
    : changed;
}

export const contextOf = async (
  ticket: StoredTicket,
  { accountRecord, now, principal }: Authored & { accountRecord: StoredAccount },
): Promise<ChangeContext> => ({
  now,
  actor: principal.actor.user,
  policy: await policyFor(ticket, accountRecord),
  currentPolicy: accountPolicy(accountRecord),
});

async function definitionsOf(
  account: AccountId,
  { ticketTypeId }: StoredTicket,
): Promise<readonly CustomField[]> {
  const type =
    ticketTypeId === undefined ? undefined : await ticketTypes.findByReference(account, ticketTypeId);
  return type?.customFields ?? [];
}
