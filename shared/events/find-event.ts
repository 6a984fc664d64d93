import { notFound } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { isExpired } from '../table/item.ts';
import { getItem } from '../table/read.ts';
import type { Event } from './envelope.ts';
import { eventKey } from './keys.ts';
import { eventInItem } from './read-event.ts';

/** Returns the event from an account's log, or undefined if the event does not exist or has expired. */
export async function findEvent(account: AccountId, id: number, now: Date): Promise<Event | undefined> {
  const item = await getItem(eventKey(account, id));
  return item && !isExpired(item, now) ? eventInItem(item) : undefined;
}

/** Like `findEvent`, but throws `not_found`. */
export async function getEvent(account: AccountId, id: number, now: Date): Promise<Event> {
  const event = await findEvent(account, id, now);
  if (!event) throw notFound('event', id);
  return event;
}
