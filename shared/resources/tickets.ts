import {
  dateTime,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  string,
  unsafe,
} from '../schema.ts';
import { changeEvents, event, resource } from './declare.ts';
import { changesSchema, userReference } from './event-data.ts';
import { assigneeChanged, changedField, changedNotice, createdOrUnassigned, noticeOf } from './text.ts';

/** Set if a bulk request made the change. */
const ofBulk = {
  bulkId: optional(
    string({
      description: 'The id of the bulk request that made the change.',
      examples: ['bulk_5f0d7a1c9be24386a1c2d3e4f5061728'],
    }),
  ),
};

const changedTicket = object({ changes: changesSchema, ...ofBulk });
const breachedTicket = object({
  change: oneOf(['sla_breached']),
  target: oneOf(['firstResponse', 'resolution']),
  breachedAt: dateTime({
    description:
      'When the target was missed: its due time, or the time of a change that moved the due time into the past.',
  }),
  ...ofBulk,
});
const dueChange = optional(object({ from: dateTime(), to: dateTime() }));
const recomputedTicket = object({
  change: oneOf(['sla_recomputed']),
  policy: integer({ description: 'The number of the SLA policy that applies now.', examples: [7] }),
  slaFirstResponseDue: dueChange,
  slaResolutionDue: dueChange,
});
const ticketUpdated = unsafe<
  Static<typeof changedTicket> | Static<typeof breachedTicket> | Static<typeof recomputedTicket>
>({
  anyOf: [changedTicket, breachedTicket, recomputedTicket],
});

export const ticketResource = resource({
  name: 'ticket',
  readers: 'own',
  reach: { owners: ['assignedTo'], team: 'assignedTeamId', unassigned: true },
  permissions: {
    bulkTickets: 'Change many tickets in one request.',
    readInternalComments: 'Read internal comments on tickets.',
  },
  portal: 'record',
  searched: true,
  children: ['comment', 'internal_comment', 'document', 'clock'],
  exported: true,
  items: {
    'ticket-summary': 'derived',
    'ticket-comment': { as: 'ticket_comment' },
    'clock-entry': { as: 'ticket_clock_entry' },
    'ticket-number': 'derived',
    'bulk-change': 'temporary',
  },
  unlogged: { TICKETNUMBERS: 'later' },
  reference: { place: 9, description: 'Support tickets, their comments and their SLA clocks.' },
  events: {
    ticket_created: event(
      object({
        changes: changesSchema,
        unassigned: optional(
          unsafe<true>({ const: true, description: 'The rotation could not assign the ticket.' }),
        ),
        reason: optional(
          oneOf(['rotation_gone', 'rotation_inactive', 'no_rotation', 'nobody_eligible', 'no_turn'], {
            description: 'Why the ticket was not assigned.',
          }),
        ),
      }),
      'A ticket was created.',
      createdOrUnassigned,
    ),
    ticket_updated: event(ticketUpdated, 'A ticket changed or missed a target.', {
      ...changedNotice,
      variants: [
        {
          if: { change: 'sla_breached' },
          title: '{Name} missed a target',
          body: 'The ticket {label} missed its target for the first response.',
        },
        {
          if: { change: 'sla_breached', target: 'resolution' },
          body: 'The ticket {label} missed its target for the resolution.',
        },
        {
          if: { change: 'sla_recomputed' },
          body: 'The due times of the ticket {label} were recomputed with the current SLA policy.',
        },
      ],
    }),
    ticket_deleted: changeEvents('ticket', 'A ticket').ticket_deleted,
    ticket_assigned: event(
      object({ assignedTo: nullable(userReference), assignedTeamId: nullable(recordId()), ...ofBulk }),
      'The assignee or team of a ticket was set, changed or removed.',
      assigneeChanged('assigned', 'assignedTo', 'assignee'),
    ),
    ticket_status_changed: event(
      object({ from: string({ examples: ['open'] }), to: string({ examples: ['resolved'] }), ...ofBulk }),
      'The status of a ticket changed.',
      changedField('status'),
    ),
    ticket_comment_added: event(
      object({
        commentId: recordId(),
        visibility: oneOf(['public', 'internal']),
        authorType: oneOf(['staff', 'customer']),
      }),
      'A comment was added to a ticket.',
      noticeOf('comment added', '{actor} added a comment to {record}.', {
        variants: [
          { if: { visibility: 'internal' }, body: '{actor} added an internal comment to {record}.' },
        ],
      }),
      // Only a response of the staff changes an indexed field, the due time. A new status has an event of its own.
      { unindexed: [{ authorType: 'customer' }, { visibility: 'internal' }] },
    ),
  },
});
