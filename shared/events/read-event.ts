import { asAccountId } from '../id/account-id.ts';
import { recordOf } from '../table/item.ts';
import type { Event } from './envelope.ts';
import { eventKey } from './keys.ts';
import { isEventKind } from './kinds.ts';

/** The event in a message, or undefined where the text is none. */
export function parseEvent(body: string): Event | undefined {
  try {
    const event: unknown = JSON.parse(body);
    return isEvent(event) ? event : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value from a stream or a queue is an event this version can handle. */
export function isEvent(value: unknown): value is Event {
  if (typeof value !== 'object' || value === null) return false;
  const event = value as Partial<Record<keyof Event, unknown>>;
  return (
    event.version === 1 &&
    Number.isSafeInteger(event.id) &&
    typeof event.kind === 'string' &&
    isEventKind(event.kind) &&
    typeof event.accountId === 'string' &&
    asAccountId(event.accountId) !== undefined &&
    typeof event.occurredAt === 'string' &&
    [event.actor, event.subject, event.data, event.request].every(
      (part) => typeof part === 'object' && part !== null,
    )
  );
}

/**
 * The event that an item of the table is, or undefined. An item is an event only under the event key of the account that
 * it names, so that no record, whatever its fields say, can pass for one.
 */
export function eventInItem(item: Record<string, unknown>): Event | undefined {
  const event = recordOf<unknown>(item);
  if (item.type !== 'event' || !isEvent(event)) return undefined;
  const { pk, sk } = eventKey(event.accountId, event.id);
  return item.pk === pk && item.sk === sk ? event : undefined;
}

/**
 * What tells an event from every other: its account and its id. Ids are minted by each instance for itself, so that
 * events of two accounts may share one.
 */
export const eventName = ({ accountId, id }: Pick<Event, 'accountId' | 'id'>): string => `${accountId}/${id}`;
