import type { AccountId } from '../id/account-id.ts';
import { asSeconds } from '../table/item.ts';
import { putIfAbsent } from '../table/operations.ts';
import { eventKey } from './keys.ts';
import { commit } from './outbox.ts';
import { systemEvent } from './system-event.ts';

/** The account of health checks. Nobody can enter it: it has no record and no members, and no account is given this id. */
export const healthCheckAccount = 'healthcheck' as AccountId;

/** For so many milliseconds a health check stays. */
const kept = 86_400_000;

/**
 * Commits the event of a health check, which goes the way of every other and reaches every queue. It stays for a day and
 * counts in no total. `deadline` is in milliseconds since 1970; throws what `commit` throws.
 */
export async function commitHealthCheck({ now, deadline }: { now: Date; deadline: number }): Promise<void> {
  const account = healthCheckAccount;
  const event = systemEvent(
    { kind: 'healthcheck', subject: { type: 'account', id: account }, data: {} },
    { account, now, schedule: 'health-check' },
  );
  const expiresAtSeconds = asSeconds(new Date(now.getTime() + kept));
  const item = { ...eventKey(account, event.id), ...event, expiresAtSeconds, type: 'event' };
  // The item of an event as it stands, because `events` would count it and keep it for a year.
  await commit({ writes: [putIfAbsent(item)], events: [], deadline });
}
