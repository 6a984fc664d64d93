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

/** What a ticket's `status` may be. Interface, "States and transitions". Lists sort by this order. */
export const ticketStatuses = [
  'open',
  'in_progress',
  'waiting_customer',
  'waiting_internal',
  'resolved',
  'closed',
] as const;
export type TicketStatus = (typeof ticketStatuses)[number];

/** What a ticket's `priority` may be, the least first: lists sort by this order. */
export const priorities = ['low', 'medium', 'high', 'urgent'] as const;
export type Priority = (typeof priorities)[number];

const slaStatuses = ['on_time', 'at_risk', 'breached', 'paused'] as const;
export type SlaStatus = (typeof slaStatuses)[number];

/** 520 weeks, so that every due is an instant that is soon reckoned. */
export const mostTargetMinutes = 520 * 7 * 24 * 60;

/** First response and resolution targets in minutes, by ticket priority. */
const SlaTarget = object({
  firstResponse: integer({ minimum: 1, maximum: mostTargetMinutes, examples: [60] }),
  resolution: integer({ minimum: 1, maximum: mostTargetMinutes, examples: [480] }),
});

export const SlaTargets = object(
  {
    urgent: optional(SlaTarget),
    high: optional(SlaTarget),
    medium: optional(SlaTarget),
    low: optional(SlaTarget),
  },
  { description: 'Minutes to the first response and to the resolution of a ticket, by priority.' },
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

const OpenInterval = object({
  from: string({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', maxLength: 5, examples: ['09:00'] }),
  to: string({
    pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$',
    maxLength: 5,
    examples: ['17:30'],
    description: 'The first minute that is closed again; `24:00` is the end of the day.',
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
      'When the clocks of tickets run, in the local time of the account. A day without intervals, and a holiday, is closed. Left out: always.',
  },
);
export type BusinessHours = Static<typeof BusinessHours>;

/** What of a ticket follows from its clock. Interface, "Ticket". Minutes are the floors of exact sums. */
export const slaFields = {
  slaStatus: oneOf(slaStatuses, { description: 'As of the response.' }),
  slaFirstResponseDue: dateTime(),
  slaResolutionDue: dateTime(),
  slaBreachedAt: optional(
    dateTime({ description: 'When the first target was missed: the instant it was due.' }),
  ),
  slaPausedAt: optional(
    dateTime({ description: 'Since when the ticket has been waiting for the customer.' }),
  ),
  slaFirstResponseMet: optional(boolean({ description: 'Left out: still open.' })),
  slaResolutionMet: optional(boolean({ description: 'Left out: still open.' })),
  slaTotalPausedTime: integer({
    minimum: 0,
    examples: [90],
    description: 'Minutes of business time in all pauses that are over.',
  }),
  firstResponseTime: optional(
    integer({ minimum: 0, examples: [42], description: 'Minutes on the clock at the first response.' }),
  ),
  resolutionTime: optional(
    integer({ minimum: 0, examples: [310], description: 'Minutes on the clock at the resolution.' }),
  ),
  resolvedAt: optional(dateTime()),
  closedAt: optional(dateTime()),
  reopenCount: integer({ minimum: 0, examples: [0] }),
  escalationCount: integer({ minimum: 0, examples: [0], description: 'How many targets were missed.' }),
};
/** A stretch of a ticket's life. `milliseconds` is the business time in it, of which closed hours have none. */
export const SlaInterval = object({
  kind: oneOf(['running', 'paused', 'closed']),
  from: dateTime(),
  to: dateTime(),
  milliseconds: integer({ minimum: 0, examples: [1_800_000] }),
});
export type SlaInterval = Static<typeof SlaInterval>;

/** A figure as the sum of intervals, by their places in the list of them. */
export const SlaFigure = object({
  milliseconds: integer({ minimum: 0, examples: [1_800_000] }),
  minutes: integer({ minimum: 0, examples: [30] }),
  intervals: array(integer({ minimum: 0, examples: [0] })),
});
export type SlaFigure = Static<typeof SlaFigure>;

const SlaFigures = object(slaFields);
export type SlaFigures = Static<typeof SlaFigures>;
