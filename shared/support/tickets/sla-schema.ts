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
  { description: 'The SLA policy of the ticket, set at creation and by each change of priority.' },
);

const LedgerEntry = object({
  n: integer({ minimum: 1, examples: [1] }),
  at: dateTime(),
  kind: oneOf(['created', 'status', 'priority', 'response']),
  status: optional(oneOf(ticketStatuses)),
  priority: optional(oneOf(priorities)),
  policy: optional(integer({ examples: [1], description: 'Policy that applies from this entry on.' })),
});

export const TicketSla = object({
  ticketId: recordId(),
  uniqueId: uniqueId('tkt'),
  until: dateTime({ description: 'Time of the response, at which an open interval ends.' }),
  policy: SlaPolicy,
  entries: array(LedgerEntry, { description: 'Ledger entries, oldest first.' }),
  intervals: array(SlaInterval, {
    description:
      'From creation to the resolution, or to `until` if the ticket is not resolved. Closed hours are not listed separately in a phase of more than 62 days.',
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
        'Each is a sum of intervals, given by their indexes in `intervals`. `used` and `paused` are the totals so far; the others are fields of the ticket.',
    },
  ),
});
export type TicketSla = Static<typeof TicketSla>;
