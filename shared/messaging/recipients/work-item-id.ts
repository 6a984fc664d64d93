import type { Event } from '../../events/envelope.ts';
import { digits } from '../../table/keys.ts';

/** The id of a work item about an event: the newest event's is the largest. */
export const workItemId = (eventId: number, ...more: (string | number | undefined)[]): string =>
  [digits(eventId), ...more.filter((part) => part !== undefined)].join('-');

/** Longer than any dead letter lasts, so that an event that is redriven opens nothing anew. */
const keptDays = 30;

export const keptUntil = ({ occurredAt }: Pick<Event, 'occurredAt'>): Date =>
  new Date(Date.parse(occurredAt) + keptDays * 86_400_000);
