import { accounts } from '../../../shared/accounts/store.ts';
import { eventLog } from '../../../shared/events/log.ts';
import type { AccountId } from '../../../shared/id/account-id.ts';
import type { StoredImpersonation } from '../../../shared/people/impersonation-records/schema.ts';
import { impersonations } from '../../../shared/people/impersonation-records/store.ts';
import { memberships } from '../../../shared/people/users/store.ts';

/** The number of events that are read, and the number of the newest impersonations and bodies that are listed. */
const [mostEvents, mostListed] = [200, 50];

/**
 * Reads the newest impersonations, also of former members, the settings of the account for support access, and those of
 * the newest 200 events that have a captured body.
 */
export async function readSupportAccess(account: AccountId, now: Date) {
  const [{ impersonationForbidden = false, bodyCaptureUntil }, { items: newest }, { items: events }] =
    await Promise.all([
      accounts.get(account),
      impersonations.ofAllUsers(account).newest({ limit: mostListed }),
      eventLog(account, now).newest({ limit: mostEvents }),
    ]);
  const isOn = bodyCaptureUntil !== undefined && bodyCaptureUntil > now.toISOString();
  const captured = events.filter((event) => event.hasRequestBody || event.hasResponseBody);
  return {
    impersonationForbidden,
    impersonations: await Promise.all(newest.map((one) => withState(one, now))),
    ...(isOn && { bodyCaptureUntil }),
    captured: captured.length,
    events: captured
      .slice(0, mostListed)
      .map(
        ({ id, accountId, kind, subject, occurredAt, hasRequestBody = false, hasResponseBody = false }) => ({
          ...{ id, accountId, kind, label: subject.label, occurredAt, hasRequestBody, hasResponseBody },
        }),
      ),
  };
}

/** Adds whether the impersonation is open, and whether its user is still a member, so that the API can end it. */
async function withState(one: StoredImpersonation, now: Date) {
  const isOpen = one.endedAt === undefined && one.expiresAt > now.toISOString();
  const canEnd = isOpen && (await memberships.find(one.accountId, one.userId)) !== undefined;
  return { ...impersonations.show(one), isOpen, canEnd };
}
