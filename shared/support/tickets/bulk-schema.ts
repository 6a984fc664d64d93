import {
  array,
  boolean,
  integer,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Static,
  string,
  type TObject,
  union,
  unsafe,
} from '../../schema.ts';
import { priorities, ticketStatuses } from '../../sla/schema.ts';
import { maxTagLength } from './schema.ts';

const maxTickets = 100;

/** No reference is longer. An empty or other unknown reference has the result `not_found`. */
const longestReference = 254;

const ticketIds = array(string({ maxLength: longestReference, examples: ['tkt_0634kqj0x01'] }), {
  minItems: 1,
  maxItems: maxTickets,
  description: 'Ids, uniqueIds or ticketNumbers. A ticket that is sent twice is changed once.',
});

const assignedTo = nullable(
  string({
    minLength: 1,
    maxLength: 254,
    description: 'User id or email. Null clears the field.',
    examples: ['214563398120449'],
  }),
);
const assignedTeamId = unsafe<number | string | null>({
  type: ['integer', 'string', 'null'],
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  minLength: 1,
  maxLength: 16,
  pattern: '^[1-9][0-9]{0,15}$',
  description: 'Team id, as number or string. Null clears the field.',
  examples: [214563398120449],
});

export const TagPayload = object({
  tag: string({
    minLength: 1,
    maxLength: maxTagLength,
    description: 'Compared as in filters, without case and accents.',
    examples: ['Hardware'],
  }),
});

const bodyOf = <A extends string, P extends TObject>(action: A, payload: P) =>
  object({ ticketIds, action: oneOf([action]), payload });

export const AssignTickets = bodyOf(
  'assign',
  object({ assignedTo: optional(assignedTo), assignedTeamId: optional(assignedTeamId) }),
);
export const ChangeTicketStatus = bodyOf('change_status', object({ status: oneOf(ticketStatuses) }));
export const ChangeTicketPriority = bodyOf('change_priority', object({ priority: oneOf(priorities) }));
export const AddTicketTag = bodyOf('add_tag', TagPayload);
export const RemoveTicketTag = bodyOf('remove_tag', TagPayload);

export const BulkInput = union(
  'action',
  [AssignTickets, ChangeTicketStatus, ChangeTicketPriority, AddTicketTag, RemoveTicketTag],
  { examples: [{ ticketIds: ['tkt_0634kqj0x01'], action: 'add_tag', payload: { tag: 'Hardware' } }] },
);
export type BulkInput = Static<typeof BulkInput>;

/**
 * Why a bulk operation did not change a ticket, or changed only a part of it.
 * - `not_found`: the account has no such ticket, or the caller does not reach it
 * - `permission_denied`: the caller may read the ticket, but not change it
 * - `out_of_time`: processing of the ticket did not start in time; send the ticket again
 * - `busy`: every attempt conflicted with a change by another request; send the ticket again
 * - `too_many_tags`, `record_too_large`: the same errors as for PATCH
 * - `changed_since`: undo kept a value that was changed after the operation
 * - `user_unknown`, `team_unknown`: undo kept the assignee, because the previous user or team is no longer active
 * - `internal_error`: a server error, which does not affect the other tickets
 */
export const bulkErrors = [
  'not_found',
  'permission_denied',
  'out_of_time',
  'busy',
  'too_many_tags',
  'record_too_large',
  'changed_since',
  'user_unknown',
  'team_unknown',
  'internal_error',
] as const;
export type BulkError = (typeof bulkErrors)[number];

const bulkId = string({
  maxLength: 37,
  pattern: '^bulk_[0-9a-f]{32}$',
  description: 'Identifies the operation in its events and for undo.',
  examples: ['bulk_5f0d7a1c9be24386a1c2d3e4f5061728'],
});

export const BulkTicket = object({
  ticketId: string({
    maxLength: longestReference,
    description: 'The reference as sent.',
    examples: ['tkt_0634kqj0x01'],
  }),
  success: boolean(),
  error: nullable(oneOf(bulkErrors, { examples: [null] })),
});
export type BulkTicket = Static<typeof BulkTicket>;

export const BulkResult = object({
  bulkId,
  success: boolean({ description: 'True if no ticket failed.' }),
  totalRequested: integer({
    minimum: 0,
    description: 'Number of different tickets.',
    examples: [1],
  }),
  successCount: integer({ minimum: 0, examples: [1] }),
  failureCount: integer({ minimum: 0, examples: [0] }),
  results: array(BulkTicket, {
    description: 'In the order of the request, without duplicates.',
  }),
  executionTime: number({ minimum: 0, description: 'Milliseconds.', examples: [84] }),
});
export type BulkResult = Static<typeof BulkResult>;

export const BulkParams = object({ bulkId });
