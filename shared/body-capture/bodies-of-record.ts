import type { Event } from '../events/envelope.ts';
import type { AccountId } from '../id/account-id.ts';
import { asSeconds } from '../table/item.ts';
import { putItem, type Write } from '../table/operations.ts';
import { bodiesOfKey } from './keys.ts';
import { bodyExpiry } from './stored-bodies.ts';

/**
 * Returns the writes that let the records of events refer to the bodies of their request: the subjects, and the records that
 * they belong to. So the bodies are erased with each of these records.
 */
export function referencesTo(
  account: AccountId,
  bodies: number,
  events: readonly Pick<Event, 'subject'>[],
  now: Date,
): Write[] {
  const records = events
    .flatMap(({ subject: { type, id, parent } }) => [{ type, id }, ...(parent ? [parent] : [])])
    .filter(({ type }) => type !== 'account');
  const keys = new Map(
    records.map((record) => {
      const key = bodiesOfKey(account, record, bodies);
      return [key.pk, key];
    }),
  );
  const expiresAtSeconds = asSeconds(bodyExpiry(now));
  return [...keys.values()].map((key) => putItem({ ...key, type: 'bodies-of', expiresAtSeconds }));
}
