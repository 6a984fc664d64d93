import { advanceClock, type Move } from '../../sla/advance-clock.ts';
import { type Breach, type Clock, type ClockEntry, type ClockUpdate, settleClock } from '../../sla/clock.ts';
import type { Policy } from '../../sla/policy.ts';
import { authoredBy, type Revision, revise } from '../../table/revise.ts';
import { checkCustomFields } from '../ticket-types/custom-fields.ts';
import type { CustomField } from '../ticket-types/schema.ts';
import type { TicketPatch } from './schema.ts';
import type { Assignment, StoredTicket } from './stored-ticket.ts';
import { distinctTags, withoutTag, withTag } from './tags.ts';

/** What is to become of a ticket: what is left out stays. */
export interface TicketChange extends Omit<TicketPatch, 'assignedTo' | 'assignedTeamId'> {
  /** The id of an active member; null: nobody. */
  assignedTo?: string | null;
  assignedTeamId?: number | null;
  addTag?: string;
  removeTag?: string;
  /** A comment: in public by the staff or by the customer, or internal. It comes before a change of the status. */
  response?: 'staff' | 'customer' | 'internal';
  /** A document more or less. */
  attachments?: 1 | -1;
  /** How it came to whom it is given to. Left out: `sent`. Nothing where it stays with whom it was. */
  assignment?: Assignment;
}

export interface ChangeContext {
  now: Date;
  /** Who changes it: the email of a user, the id of an API key, or `system`. */
  actor: string;
  /** What was promised of the ticket. */
  policy: Policy;
  /** What the account promises now, for a new priority. */
  currentPolicy: Policy;
  /** Of the ticket's type, where the change has custom fields; left out: none. */
  definitions?: readonly CustomField[];
}

/** A ticket before and after a change, with what its clock made of it. */
export interface ChangedTicket {
  before: StoredTicket;
  /** The very same as `before` where nothing changed. */
  after: StoredTicket;
  entries: ClockEntry[];
  breaches: Breach[];
}

/**
 * The one way in which a ticket changes. Its clock is settled first, so that a due that has passed is a breach whatever
 * else happens, and happens even where nothing else does; then come the response, the status and the priority.
 * Throws the errors of the rules.
 */
export function changeTicket(
  before: StoredTicket,
  change: TicketChange,
  context: ChangeContext,
): ChangedTicket {
  const { clock, entries, breaches } = advanced(before.clock, change, context);
  const at = context.now.toISOString();
  const revision: Revision<StoredTicket> = {
    subject: change.subject,
    description: change.description,
    category: change.category,
    ...reassigned(before, change, context),
    customFields: change.customFields && changedFields(before, change.customFields, context),
    tags: changedTags(before, change),
    ...responded(before, change.response, at),
    attachmentCount: change.attachments && before.attachmentCount + change.attachments,
    // A clock that only went on is reckoned anew by whoever reads it.
    ...(entries.length + breaches.length > 0 && { clock, status: clock.status, priority: clock.priority }),
  };
  const after = revise(before, revision, authoredBy(context.actor, context.now));
  return { before, after, entries, breaches };
}

/** The clock after a change, with all that came of it. */
function advanced(
  before: Clock,
  { response, status, priority }: TicketChange,
  { now, policy, currentPolicy }: ChangeContext,
): ClockUpdate {
  const at = now.toISOString();
  const moves: Move[] = [
    ...(response === 'staff' ? [{ at, response: true } as const] : []),
    ...(status === undefined ? [] : [{ at, status }]),
    // Last, because with it the ticket goes by another policy.
    ...(priority === undefined ? [] : [{ at, priority, policy: currentPolicy }]),
  ];
  return moves.reduce(
    (so, move) => {
      const next = advanceClock(so.clock, move, policy);
      return {
        clock: next.clock,
        entries: [...so.entries, ...next.entries],
        breaches: [...so.breaches, ...next.breaches],
      };
    },
    settleClock(before, at),
  );
}

/** Another team leaves it told how the assignee came to the ticket. */
function reassigned(
  before: StoredTicket,
  { assignedTo, assignedTeamId, assignment }: TicketChange,
  { now, actor }: ChangeContext,
): Revision<StoredTicket> {
  const differs = (value: unknown, was: unknown) => value !== undefined && value !== (was ?? null);
  const another = differs(assignedTo, before.assignedTo);
  const anotherTeam = differs(assignedTeamId, before.assignedTeamId);
  const sent: Assignment = { at: now.toISOString(), by: actor, how: 'sent' };
  return {
    assignedTo,
    assignedTeamId,
    ...((another || (anotherTeam && before.assignedTo === undefined)) && { assignment: assignment ?? sent }),
  };
}

/** Merged by key. A ticket whose last one was cleared has none. */
function changedFields(
  { customFields = {} }: StoredTicket,
  sent: Record<string, unknown>,
  { definitions = [] }: ChangeContext,
): Record<string, unknown> | null {
  const after = checkCustomFields(definitions, sent, customFields);
  return Object.keys(after).length > 0 ? after : null;
}

function changedTags(
  { tags }: StoredTicket,
  { tags: sent, addTag, removeTag }: TicketChange,
): string[] | undefined {
  if (sent) return distinctTags(sent);
  if (addTag !== undefined) return withTag(tags, addTag);
  if (removeTag !== undefined) return withoutTag(tags, removeTag);
  return undefined;
}

function responded(
  { responseCount, internalNoteCount, commentCount }: StoredTicket,
  response: TicketChange['response'],
  at: string,
): Revision<StoredTicket> {
  if (!response) return {};
  return {
    commentCount: commentCount + 1,
    ...(response === 'staff' && { responseCount: responseCount + 1, lastResponseAt: at }),
    ...(response === 'customer' && { lastCustomerResponseAt: at }),
    ...(response === 'internal' && { internalNoteCount: internalNoteCount + 1 }),
  };
}
