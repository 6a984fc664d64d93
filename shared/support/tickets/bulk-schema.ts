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
  unsafe,
} from '../../schema.ts';
import { priorities, ticketStatuses } from '../../sla/schema.ts';
import { longestTag } from './schema.ts';

/** What a bulk can do to each of its tickets. */
const bulkActions = ['assign', 'change_status', 'change_priority', 'add_tag', 'remove_tag'] as const;
export type BulkAction = (typeof bulkActions)[number];

/** So many tickets one bulk names at most. */
const mostTickets = 100;

const assignedTo = nullable(
  string({
    minLength: 1,
    maxLength: 254,
    description: 'assign: a user by id or email; null: nobody.',
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
  description: 'assign: a team by id, a number or its digits; null: none.',
  examples: [214563398120449],
});

/** Of the fields an action takes its own and no others. */
export const BulkPayload = object({
  assignedTo: optional(assignedTo),
  assignedTeamId: optional(assignedTeamId),
  status: optional(oneOf(ticketStatuses, { description: 'change_status.' })),
  priority: optional(oneOf(priorities, { description: 'change_priority.' })),
  tag: optional(
    string({
      minLength: 1,
      maxLength: longestTag,
      description: 'add_tag and remove_tag; compared without regard to case.',
      examples: ['Hardware'],
    }),
  ),
});
export type BulkPayload = Static<typeof BulkPayload>;

/** The body of POST /tickets/bulk. Interface, "POST /tickets/bulk". */
export const BulkInput = object({
  ticketIds: array(string({ minLength: 1, maxLength: 64, examples: ['tkt_0634kqj0x01'] }), {
    minItems: 1,
    maxItems: mostTickets,
    description: 'By id, uniqueId or ticketNumber. One ticket under two names counts once.',
  }),
  action: oneOf(bulkActions, { examples: ['add_tag'] }),
  payload: object(BulkPayload.properties, { examples: [{ tag: 'Hardware' }] }),
});
export type BulkInput = Static<typeof BulkInput>;

/**
 * Why a bulk did not do to a ticket what it was to do.
 * - `not_found`: the account has no such ticket
 * - `out_of_time`: it was not begun; send it again
 * - `busy`: others kept changing it; send it again
 * - `too_many_tags`, `record_too_large`: what a PATCH would be refused for
 * - `changed_since`: of an undo: something of it no longer is what the bulk made of it, and stays
 * - `user_unknown`, `team_unknown`: of an undo: whoever had it is no longer active, so that it stays with whom it is
 * - `internal_error`: our fault; the others went on
 */
export const bulkErrors = [
  'not_found',
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
  description: 'Names the bulk in its events, and to undo it.',
  examples: ['bulk_5f0d7a1c9be24386a1c2d3e4f5061728'],
});

const BulkTicket = object({
  ticketId: string({ maxLength: 64, description: 'As it was sent.', examples: ['tkt_0634kqj0x01'] }),
  success: boolean(),
  error: nullable(oneOf(bulkErrors)),
});
export type BulkTicket = Static<typeof BulkTicket>;

/** What a bulk did. Interface, "Bulk operation result". */
export const BulkResult = object({
  bulkId,
  success: boolean({ description: 'Nothing failed.' }),
  totalRequested: integer({ minimum: 0, description: 'Tickets, each once.', examples: [2] }),
  successCount: integer({ minimum: 0, examples: [2] }),
  failureCount: integer({ minimum: 0, examples: [0] }),
  results: array(BulkTicket, { description: 'In the order sent; a ticket under the first of its names.' }),
  executionTime: number({ minimum: 0, description: 'Milliseconds.', examples: [84] }),
});
export type BulkResult = Static<typeof BulkResult>;

export const BulkParams = object({ bulkId });
