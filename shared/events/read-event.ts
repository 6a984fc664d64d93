import { asAccountId } from '../id/account-id.ts';
import { recordOf } from '../table/item.ts';
import type { Event } from './envelope.ts';
import { eventKey } from './keys.ts';
import { isEventKind } from './kinds.ts';

/** Parses the event in a message. Returns undefined if the text is not an event. */
export function parseEvent(body: string): Event | undefined {
  try {
    const event: unknown = JSON.parse(body);
    return isEvent(event) ? event : undefined;
  } catch {
    return undefined;
  }
}

/** Reports whether a value is an event with a version and kind that this code can handle. */
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
 * Returns the event in an item. Returns undefined if the item's key does not match the account and the id in
 * the event, so that other records are never read as events.
 */
export function eventInItem(item: Record<string, unknown>): Event | undefined {
  const event = recordOf<unknown>(item);
  if (item.type !== 'event' || !isEvent(event)) return undefined;
  const { pk, sk } = eventKey(event.accountId, event.id);
  return item.pk === pk && item.sk === sk ? event : undefined;
}

/**
 * Returns a name that identifies an event. The name contains the account, because events of two accounts may have the
 * same id.
 */
export const eventName = ({ accountId, id }: Pick<Event, 'accountId' | 'id'>): string => `${accountId}/${id}`;
