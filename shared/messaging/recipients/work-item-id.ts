import type { Event } from '../../events/envelope.ts';
import { digits } from '../../table/keys.ts';

/** The id of a work item about an event. Newer events have larger ids. */
export const workItemId = (eventId: number, ...more: (string | number | undefined)[]): string =>
  [digits(eventId), ...more.filter((part) => part !== undefined)].join('-');

/** Longer than dead letters are kept, so that redriving an event never repeats its work items. */
const keptDays = 30;

export const keptUntil = ({ occurredAt }: Pick<Event, 'occurredAt'>): Date =>
  new Date(Date.parse(occurredAt) + keptDays * 86_400_000);
