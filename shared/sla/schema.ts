import {
  array,
  boolean,
  date,
  dateTime,
  integer,
  object,
  oneOf,
  optional,
  type Static,
  string,
} from '../schema.ts';

/** The statuses of a ticket, in the order in which lists sort them. */
export const ticketStatuses = [
  'open',
  'in_progress',
  'waiting_customer',
  'waiting_internal',
  'resolved',
  'closed',
] as const;
export type TicketStatus = (typeof ticketStatuses)[number];

export const openStatuses: readonly TicketStatus[] = ticketStatuses.filter(
  (status) => status !== 'resolved' && status !== 'closed',
);

/** The priorities of a ticket or an application, lowest first, in the order in which lists sort them. */
export const priorities = ['low', 'medium', 'high', 'urgent'] as const;
export type Priority = (typeof priorities)[number];

const slaStatuses = ['on_time', 'at_risk', 'breached', 'paused'] as const;
export type SlaStatus = (typeof slaStatuses)[number];

/** 520 weeks, which limits the cost of computing due instants. */
export const maxTargetMinutes = 520 * 7 * 24 * 60;

export const SlaTarget = object({
  firstResponse: integer({ minimum: 1, maximum: maxTargetMinutes, examples: [60] }),
  resolution: integer({ minimum: 1, maximum: maxTargetMinutes, examples: [480] }),
});

export const SlaTargets = object(
  {
    urgent: optional(SlaTarget),
    high: optional(SlaTarget),
    medium: optional(SlaTarget),
    low: optional(SlaTarget),
  },
  { description: 'Minutes to the first response and to the resolution, by ticket priority.' },
);
export type SlaTargets = Static<typeof SlaTargets>;

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

export const OpenInterval = object({
  from: string({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', maxLength: 5, examples: ['09:00'] }),
  to: string({
    pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$',
    maxLength: 5,
    examples: ['17:30'],
    description: 'Exclusive. `24:00` is the end of the day.',
  }),
});

const OpenIntervals = array(OpenInterval, { maxItems: 4 });

export const BusinessHours = object(
  {
    monday: optional(OpenIntervals),
    tuesday: optional(OpenIntervals),
    wednesday: optional(OpenIntervals),
    thursday: optional(OpenIntervals),
    friday: optional(OpenIntervals),
    saturday: optional(OpenIntervals),
    sunday: optional(OpenIntervals),
    holidays: optional(array(date({ examples: ['2026-12-25'] }), { maxItems: 200 })),
  },
  {
    description:
      'When SLA clocks run, in the account’s local time. Holidays and days without intervals are closed. Default: always open.',
  },
);
export type BusinessHours = Static<typeof BusinessHours>;

/** The fields of a ticket that are computed from its clock. Minutes are rounded down. */
export const slaFields = {
  slaStatus: oneOf(slaStatuses, { description: 'The status at the time of the request.' }),
  slaFirstResponseDue: dateTime(),
  slaResolutionDue: dateTime(),
  slaBreachedAt: optional(dateTime({ description: 'When the first missed target was due.' })),
  slaPausedAt: optional(dateTime({ description: 'When the ticket began to wait for the customer.' })),
  slaFirstResponseMet: optional(boolean({ description: 'Omitted while the target is open.' })),
  slaResolutionMet: optional(boolean({ description: 'Omitted while the target is open.' })),
  slaTotalPausedTime: integer({
    minimum: 0,
    examples: [90],
    description: 'Minutes of business time in all ended pauses.',
  }),
  firstResponseTime: optional(
    integer({ minimum: 0, examples: [42], description: 'Minutes on the SLA clock at the first response.' }),
  ),
  resolutionTime: optional(
    integer({ minimum: 0, examples: [310], description: 'Minutes on the SLA clock at the resolution.' }),
  ),
  resolvedAt: optional(dateTime()),
  closedAt: optional(dateTime()),
  reopenCount: integer({ minimum: 0, examples: [0] }),
  escalationCount: integer({ minimum: 0, examples: [0], description: 'Number of missed targets.' }),
};
/** An interval of a ticket's clock. `milliseconds` is its business time, which is 0 for closed hours. */
export const SlaInterval = object({
  kind: oneOf(['running', 'paused', 'closed']),
  from: dateTime(),
  to: dateTime(),
  milliseconds: integer({ minimum: 0, examples: [1_800_000] }),
});
export type SlaInterval = Static<typeof SlaInterval>;

export const SlaFigure = object({
  milliseconds: integer({ minimum: 0, examples: [1_800_000] }),
  minutes: integer({ minimum: 0, examples: [30] }),
  intervals: array(integer({ minimum: 0, examples: [0] })),
});
export type SlaFigure = Static<typeof SlaFigure>;

const SlaFigures = object(slaFields);
export type SlaFigures = Static<typeof SlaFigures>;
