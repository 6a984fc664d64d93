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
    number: integer({ examples: [1], description: 'The account version that introduced the policy.' }),
    targets: SlaTargets,
    timezone: string({ description: 'IANA name.', examples: ['America/New_York'] }),
    businessHours: optional(BusinessHours),
  },
  {
    description:
      'The SLA policy of the ticket, set at creation, by each change of priority, and if an operator recomputes the due times.',
  },
);

const LedgerEntry = object({
  n: integer({ minimum: 1, examples: [1] }),
  at: dateTime(),
  kind: oneOf(['created', 'status', 'priority', 'response', 'policy'], {
    description: 'policy: an operator applied the current SLA policy of the account.',
  }),
  status: optional(oneOf(ticketStatuses)),
  priority: optional(oneOf(priorities)),
  policy: optional(integer({ examples: [1], description: 'Number of the policy from this entry on.' })),
});

export const TicketSla = object({
  ticketId: recordId(),
  uniqueId: uniqueId('tkt'),
  until: dateTime({
    description: 'Time of this request. If the ticket is not resolved, its last interval ends at this time.',
  }),
  policy: SlaPolicy,
  entries: array(LedgerEntry, { description: 'Ledger entries, oldest first.' }),
  intervals: array(SlaInterval, {
    description:
      'From creation to the resolution, or to `until` if the ticket is not resolved. A time of more than 62 days without a ledger entry is one interval, which includes closed hours.',
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
        'Each figure is the sum of the intervals at the listed indexes of `intervals`. `used` and `paused` are totals of all intervals; the other figures are fields of the ticket.',
    },
  ),
});
export type TicketSla = Static<typeof TicketSla>;
