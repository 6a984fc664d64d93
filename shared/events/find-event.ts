import type { AccountId } from '../id/account-id.ts';
import { eventKey } from '../table/keys.ts';
import { getItem } from '../table/read.ts';
import type { Event } from './envelope.ts';
import { eventInItem } from './read-event.ts';

/** The event of an account's log, or undefined where it has none with this id. */
export async function findEvent(account: AccountId, id: number): Promise<Event | undefined> {
  const item = await getItem(eventKey(account, id));
  return item && eventInItem(item);
}
