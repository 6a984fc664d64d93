import {
  array,
  dateTime,
  integer,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  string,
  uniqueId,
} from '../../schema.ts';
import {
  BusinessHours,
  priorities,
  SlaFigure,
  SlaInterval,
  SlaTargets,
  ticketStatuses,
} from '../../sla/schema.ts';

const SlaPolicy = object(
  {
    number: integer({
      examples: [1],
      description: 'The version of the account at which it came into force.',
    }),
    targets: SlaTargets,
    timezone: string({ description: 'IANA name.', examples: ['America/New_York'] }),
    businessHours: optional(BusinessHours),
  },
  { description: 'What was promised when the ticket was made, or when it last got another priority.' },
);

const LedgerEntry = object({
  n: integer({ minimum: 1, examples: [1] }),
  at: dateTime(),
  kind: oneOf(['created', 'status', 'priority', 'response']),
  status: optional(oneOf(ticketStatuses)),
  priority: optional(oneOf(priorities)),
  policy: optional(integer({ examples: [1], description: 'The policy that it goes by from here on.' })),
});

/** The clock of a ticket, from its ledger alone: what happened to it, and how its figures come about. */
export const TicketSla = object({
  ticketId: recordId(),
  uniqueId: uniqueId('tkt'),
  until: dateTime({ description: 'The instant of the response: what goes on is counted up to here.' }),
  policy: SlaPolicy,
  entries: array(LedgerEntry, { description: 'The ledger, oldest first.' }),
  intervals: array(SlaInterval, {
    description:
      'The life of the ticket up to now or to its resolution. Of a stretch of more than 62 days the closed hours are not told one by one.',
  }),
  figures: object(
    {
      used: SlaFigure,
      paused: SlaFigure,
      slaTotalPausedTime: SlaFigure,
      firstResponseTime: optional(SlaFigure),
      resolutionTime: optional(SlaFigure),
    },
    {
      description:
        'Each as the sum of intervals, by their places in `intervals`. `used` and `paused` are all that ran and was paused so far; the others are the fields of the ticket.',
    },
  ),
});
export type TicketSla = Static<typeof TicketSla>;
