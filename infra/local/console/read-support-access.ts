import { accounts } from '../../../shared/accounts/store.ts';
import { eventLog } from '../../../shared/events/log.ts';
import type { AccountId } from '../../../shared/id/account-id.ts';
import { impersonations } from '../../../shared/people/impersonation/store.ts';
import { memberships } from '../../../shared/people/users/store.ts';

/** The numbers of members and events that are read, and the number of the newest impersonations and bodies that are listed. */
const [mostMembers, mostEvents, mostListed] = [100, 200, 50];

/**
 * Reads the newest impersonations of the newest 100 members, the settings of the account for support access, and those of
 * the newest 200 events that have a captured body.
 */
export async function readSupportAccess(account: AccountId, now: Date) {
  const [{ impersonationForbidden = false, bodyCaptureUntil }, members, { items: events }] =
    await Promise.all([
      accounts.get(account),
      memberships.newest(account, mostMembers),
      eventLog(account, now).newest({ limit: mostEvents }),
    ]);
  const isOn = bodyCaptureUntil !== undefined && bodyCaptureUntil > now.toISOString();
  const captured = events.filter((event) => event.hasRequestBody || event.hasResponseBody);
  return {
    impersonationForbidden,
    impersonations: await newestImpersonations(
      account,
      members.map(({ id }) => id),
      now,
    ),
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

async function newestImpersonations(account: AccountId, userIds: readonly number[], now: Date) {
  const found = await Promise.all(
    userIds.map((id) => impersonations.listOf(account, id).newest({ limit: mostListed })),
  );
  return found
    .flatMap(({ items }) => items)
    .sort((one, other) => other.id - one.id)
    .slice(0, mostListed)
    .map((one) => ({
      ...impersonations.show(one),
      isOpen: one.endedAt === undefined && one.expiresAt > now.toISOString(),
    }));
}
