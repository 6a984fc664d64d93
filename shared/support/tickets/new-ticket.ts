import type { FieldWarning } from '../../endpoints/field-warnings.ts';
import { ApiError, invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { uniqueIdOf } from '../../id/unique-id.ts';
import type { StoredTeam } from '../../people/teams/schema.ts';
import { teams } from '../../people/teams/store.ts';
import { activeAssignee, requireMayAssign } from '../../people/users/rules.ts';
import type { Membership } from '../../people/users/schema.ts';
import { findMemberByReference } from '../../people/users/store.ts';
import type { CountSlot } from '../../rotations/slots.ts';
import type { SignedIn } from '../../security/principal.ts';
import { ownerOfNew } from '../../security/reach.ts';
import { startClock } from '../../sla/advance-clock.ts';
import type { Policy } from '../../sla/policy.ts';
import { newRecord } from '../../table/record-fields.ts';
import { checkCustomFields } from '../ticket-types/custom-fields.ts';
import { knownTicketType } from '../ticket-types/require-ticket-type.ts';
import type { StoredTicketType } from '../ticket-types/schema.ts';
import { ticketTypes } from '../ticket-types/store.ts';
import {
  assignByTurn,
  assignmentBy,
  type NewAssignment,
  type PendingTurn,
  readTurn,
} from './assign-ticket.ts';
import { callerFor, findRequesterRecord, type RequesterRecord, requesterOf } from './find-requester.ts';
import { findLinked, type LinkedRecords, linkedFor, linksOf } from './link-ticket.ts';
import type { TicketInput } from './schema.ts';
import type { NewTicket } from './store.ts';
import type { StoredTicket } from './stored-ticket.ts';
import { distinctTags } from './tags.ts';
import { takeTicketNumber } from './ticket-number.ts';

/** The records that a new ticket refers to; undefined if they do not exist. */
interface References {
  type: StoredTicketType | undefined;
  turn: PendingTurn | undefined;
  requester: RequesterRecord | undefined;
  assignee: Membership | undefined;
  team: StoredTeam | undefined;
  /** Reads what depends on the caller. Repeated calls return the same result without another read. */
  forCaller(principal: SignedIn): Promise<ReferencesOfCaller>;
}

/** `caller` is the result of `callerFor`. `linked` contains only records that are not hidden from the caller. */
interface ReferencesOfCaller {
  caller: Membership | undefined;
  linked: LinkedRecords;
}

/** Reads the referenced records in parallel. `newTicket` validates them after the check of the caller's permissions. */
export async function readReferences(account: AccountId, body: TicketInput): Promise<References> {
  const { ticketTypeId, assignedTo, assignedTeamId } = body;
  const [{ type, turn }, requester, linked, assignee, team] = await Promise.all([
    typeAndTurn(account, ticketTypeId, assignedTo),
    findRequesterRecord(account, body),
    findLinked(account, body),
    assignedTo === undefined ? undefined : findMemberByReference(account, assignedTo),
    assignedTeamId === undefined ? undefined : teams.find(account, assignedTeamId),
  ]);
  let read: Promise<ReferencesOfCaller> | undefined;
  const readFor = async (principal: SignedIn) => {
    const [caller, shown] = await Promise.all([
      callerFor(account, body, requester, principal),
      linkedFor(principal, account, body, linked),
    ]);
    return { caller, linked: shown };
  };
  return {
    ...{ type, turn, requester, assignee, team },
    forCaller(principal) {
      read ??= readFor(principal);
      return read;
    },
  };
}

async function typeAndTurn(
  account: AccountId,
  reference: string | undefined,
  assignedTo: string | undefined,
): Promise<Pick<References, 'type' | 'turn'>> {
  const type = reference === undefined ? undefined : await ticketTypes.findByReference(account, reference);
  return { type, turn: assignedTo === undefined ? await readTurn(account, type) : undefined };
}

interface TicketCreation {
  account: AccountId;
  principal: SignedIn;
  now: Date;
  body: TicketInput;
}

type Taken = Pick<StoredTicket, 'ticketNumber'> & Partial<NewAssignment>;

/**
 * Takes the number of a new ticket and, if needed, a slot of its rotation. No rotation assigns the ticket of a caller with a
 * limited permission. In dry runs, `countSlot` only reads.
 */
export async function takeNumberAndTurn(
  request: TicketCreation,
  { turn }: Pick<References, 'turn'>,
  countSlot?: CountSlot,
): Promise<Taken> {
  const { isLimited } = ownerOfNew(request.principal, 'ticket');
  const [ticketNumber, assignment] = await Promise.all([
    takeTicketNumber(request.account, countSlot),
    turn && !isLimited ? assignByTurn(request, turn, 'rotation', countSlot) : undefined,
  ]);
  return { ticketNumber, ...assignment };
}

/**
 * Builds a new ticket, except for its number and its assignment by rotation. Throws errors of the ticket type first,
 * then of the referenced records, then of the ticket's own fields.
 */
export function newTicket(
  request: TicketCreation,
  references: Omit<References, 'forCaller'>,
  { caller, linked }: ReferencesOfCaller,
  policy: Policy,
): {
  draft: Omit<NewTicket, 'ticket'> & { ticket: Omit<StoredTicket, 'ticketNumber'> };
  warnings: FieldWarning[];
} {
  const { body, principal, now } = request;
  const type = typeFor(body, references.type, principal);
  requireMayAssign(principal, body.assignedTo);
  checkAssignee(body, references);
  const { requester, warnings } = requesterOf(body, references.requester, caller, principal);
  const links = linksOf(body, linked, references.requester, principal);
  const category = body.category ?? type?.category;
  if (!category) throw invalid('category', 'is required if ticketTypeId is omitted');
  const customFields = checkCustomFields(type?.customFields ?? [], body.customFields ?? {}, undefined);
  const { status = 'open', priority = 'medium', source = 'api' } = body;
  const { clock, entries } = startClock({ at: now.toISOString(), status, priority, policy });
  const ticket = {
    ...newRecord(request),
    ...(type && { ticketTypeId: uniqueIdOf('tty', type.id) }),
    subject: body.subject,
    description: body.description,
    status: clock.status,
    priority: clock.priority,
    category,
    source,
    ...requester,
    assignedTeamId: body.assignedTeamId,
    ...links,
    ...(Object.keys(customFields).length > 0 && { customFields }),
    tags: distinctTags(body.tags ?? []),
    metaData: body.metaData,
    responseCount: 0,
    internalNoteCount: 0,
    commentCount: 0,
    attachmentCount: 0,
    clock,
    ...assignFromBody(request, references),
  };
  return { draft: { ticket, entries }, warnings };
}

/** Throws if the type does not exist or is inactive, or if the principal lacks a permission that the type requires. */
function typeFor(
  { ticketTypeId }: TicketInput,
  found: StoredTicketType | undefined,
  { permissions }: SignedIn,
): StoredTicketType | undefined {
  if (ticketTypeId === undefined) return undefined;
  const type = knownTicketType('ticketTypeId', found);
  if (!type.requiredPermissions.every((name) => permissions.has(name)))
    throw new ApiError('permission_denied');
  if (!type.isActive) throw invalid('ticketTypeId', 'is an inactive ticket type', 'ticket_type_inactive');
  return type;
}

function checkAssignee(
  { assignedTo, assignedTeamId }: TicketInput,
  { assignee, team }: Pick<References, 'assignee' | 'team'>,
): void {
  if (assignedTo !== undefined) activeAssignee(assignee);
  if (assignedTeamId !== undefined && !team?.active) throw teamUnknown();
}

export const teamUnknown = (): ApiError =>
  new ApiError('team_unknown', {
    message: 'assignedTeamId is not an active team of this account.',
    details: [{ field: 'assignedTeamId', message: 'is not an active team of this account' }],
  });

/** A caller with a limited permission is the assignee of the ticket, unless the request names another. */
function assignFromBody(
  request: TicketCreation,
  { assignee, team }: Pick<References, 'assignee' | 'team'>,
): NewAssignment {
  const assignedTo = assignee ? String(assignee.id) : ownerOfNew(request.principal, 'ticket').owner;
  if (assignedTo === undefined && !team) return assignmentBy(request, 'nobody', { reason: 'no_turn' });
  return assignmentBy(request, 'sent', { assignedTo });
}
