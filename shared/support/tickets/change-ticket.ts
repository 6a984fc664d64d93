import { advanceClock, type Move } from '../../sla/advance-clock.ts';
import { type Breach, type Clock, type ClockEntry, type ClockUpdate, settleClock } from '../../sla/clock.ts';
import type { Policy } from '../../sla/policy.ts';
import { authoredBy, type Revision, revise } from '../../table/revise.ts';
import { checkCustomFields } from '../ticket-types/custom-fields.ts';
import type { CustomField } from '../ticket-types/schema.ts';
import type { TicketPatch } from './schema.ts';
import type { Assignment, StoredTicket } from './stored-ticket.ts';
import { distinctTags, withoutTag, withTag } from './tags.ts';

/** A change of a ticket. Omitted fields do not change. */
export interface TicketChange extends Omit<TicketPatch, 'assignedTo' | 'assignedTeamId'> {
  /** The id of an active member. Null clears the field. */
  assignedTo?: string | null;
  assignedTeamId?: number | null;
  addTag?: string;
  removeTag?: string;
  /**
   * An added comment, applied before `status`: the author of a public comment, or `internal`. A public staff comment that is
   * mailed to the customer is `mailed`. It becomes a response when the mail is `accepted` for delivery.
   */
  response?: 'staff' | 'customer' | 'internal' | 'mailed' | 'accepted';
  /** The visibility of a comment that is removed, because its mail is moved or becomes public. */
  withdrawn?: 'public' | 'internal';
  /** The change in the number of documents. */
  attachments?: number;
  /** Applies the current policy of the account, and recomputes the due times of open targets. */
  recompute?: true;
  /** How the new assignee was determined. Default: `sent`. Ignored if the assignee does not change. */
  assignment?: Assignment;
}

export interface ChangeContext {
  now: Date;
  /** A user's email, an API key's public part, or `system`. */
  actor: string;
  policy: Policy;
  /** The current policy of the account, used for a new priority. */
  currentPolicy: Policy;
  /** The custom fields of the ticket's type, if the change sends custom fields. */
  definitions?: readonly CustomField[];
}

export interface ChangedTicket {
  before: StoredTicket;
  /** The same object as `before` if nothing changed. */
  after: StoredTicket;
  entries: ClockEntry[];
  breaches: Breach[];
}

/**
 * Changes a ticket. Every request that changes a ticket uses this function. First marks overdue targets as
 * breached, even if nothing else changes. Then applies the response, the status and the priority. Throws
 * validation errors.
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
    ...responded(before, change, at),
    attachmentCount: change.attachments && before.attachmentCount + change.attachments,
    // The clock is written only if it has a new entry or breach. Otherwise, readers compute its state from the
    // stored clock.
    ...(entries.length + breaches.length > 0 && { clock, status: clock.status, priority: clock.priority }),
  };
  const after = revise(before, revision, authoredBy(context.actor, context.now));
  return { before, after, entries, breaches };
}

function advanced(
  before: Clock,
  { response, status, priority, recompute }: TicketChange,
  { now, policy, currentPolicy }: ChangeContext,
): ClockUpdate {
  const at = now.toISOString();
  const moves: Move[] = [
    ...(isResponse(response) ? [{ at, response: true } as const] : []),
    ...(status === undefined ? [] : [{ at, status }]),
    // The priority is last: it changes the clock's policy, and `policy` is the policy before this change.
    ...(priority === undefined ? [] : [{ at, priority, policy: currentPolicy }]),
    ...(recompute ? [{ at, policy: currentPolicy }] : []),
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

/** Reports whether a change is a response of the staff, which the clock measures. */
const isResponse = (response: TicketChange['response']): boolean =>
  response === 'staff' || response === 'accepted';

/** Keeps the stored `assignment` if the ticket has an assignee and only the team changes. */
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
  { response, withdrawn }: TicketChange,
  at: string,
): Revision<StoredTicket> {
  if (!response && !withdrawn) return {};
  const internal = (response === 'internal' ? 1 : 0) - (withdrawn === 'internal' ? 1 : 0);
  return {
    commentCount: commentCount + (response && response !== 'accepted' ? 1 : 0) - (withdrawn ? 1 : 0),
    ...(isResponse(response) && { responseCount: responseCount + 1, lastResponseAt: at }),
    ...(response === 'customer' && { lastCustomerResponseAt: at }),
    ...(internal !== 0 && { internalNoteCount: internalNoteCount + internal }),
  };
}
