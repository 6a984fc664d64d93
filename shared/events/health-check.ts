import type { AccountId } from '../id/account-id.ts';
import { asSeconds } from '../table/item.ts';
import { putIfAbsent } from '../table/operations.ts';
import { eventKey } from './keys.ts';
import { commit } from './outbox.ts';
import { systemEvent } from './system-event.ts';

/**
 * The account id of health check events. The account has no record and no members. No real account can have this id.
 */
export const healthCheckAccount = 'healthcheck' as AccountId;

/** How long the event is kept, in milliseconds: one day. */
const kept = 86_400_000;

/**
 * Commits a health check event, which is sent to every queue. The event is not included in the counts of events.
 * `deadline` is in milliseconds since 1970. Throws the errors of `commit`.
 */
export async function commitHealthCheck({ now, deadline }: { now: Date; deadline: number }): Promise<void> {
  const account = healthCheckAccount;
  const event = systemEvent(
    { kind: 'healthcheck', subject: { type: 'account', id: account }, data: {} },
    { account, now, schedule: 'health-check' },
  );
  const expiresAtSeconds = asSeconds(new Date(now.getTime() + kept));
  const item = { ...eventKey(account, event.id), ...event, expiresAtSeconds, type: 'event' };
  // Passes the event in `writes`, not in `events`, because `commit` counts the events in `events` and keeps them for
  // more than a year.
  await commit({ writes: [putIfAbsent(item)], events: [], deadline });
}
