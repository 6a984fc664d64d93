import type { Account } from '../../accounts/schema.ts';
import type { Request } from '../../endpoints/endpoint.ts';
import { ApiError } from '../../errors.ts';
import type { Effects } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import type { SignedIn } from '../../security/principal.ts';
import { newRecord } from '../../table/record-fields.ts';
import { addOpen, type OpenImpersonations } from '../impersonation-records/open-impersonations.ts';
import type { StoredImpersonation } from '../impersonation-records/schema.ts';
import { impersonationLifetime, impersonations } from '../impersonation-records/store.ts';
import { noteImpersonation, openSession } from '../sessions/store.ts';
import { isSelf } from '../users/is-self.ts';
import { isActiveMember } from '../users/rules.ts';
import type { Member } from '../users/show-user.ts';
import { users } from '../users/store.ts';

interface Begun extends Effects {
  token: string;
  impersonation: StoredImpersonation;
}

/**
 * Begins an impersonation: a session of 30 minutes as the user, the record of it, and the event whose mail informs the
 * user. `open` contains the account's open impersonations. Throws `impersonation_forbidden`, `not_impersonable` and
 * `quota_exceeded`.
 */
export async function impersonate(
  { user, membership }: Member,
  { reason, write = false }: { reason: string; write?: boolean },
  open: OpenImpersonations,
  request: Pick<Request, 'account' | 'accountRecord' | 'principal' | 'now'>,
): Promise<Begun> {
  const { account, principal, now } = request;
  requireImpersonable(membership, request);
  const endsAt = new Date(now.getTime() + impersonationLifetime).toISOString();
  const record = newRecord(request);
  const { id, home, sessionEpoch: epoch } = user;
  const bySession = ownSession(principal);
  const begun = { id: record.id, userId: id, by: principal.id, bySession, expiresAt: endsAt };
  const added = addOpen(open, begun, now);
  const session = await openSession(
    {
      ...{ kind: 'user', id, home, hidesHome: true, epoch, endsAt },
      impersonator: { id: principal.id, home: principal.home, sessionId: bySession, account },
      impersonation: { id: record.id, write },
    },
    now,
  );
  const impersonation = {
    ...record,
    ...{ userId: id, email: user.email, reason, write, expiresAt: endsAt, home, sessionId: session.id },
  };
  return {
    token: session.token,
    impersonation,
    writes: [
      added,
      ...session.writes,
      ...noteImpersonation(principal, account),
      ...impersonations.insert(impersonation),
    ],
    events: [
      {
        kind: 'user_impersonated',
        subject: subjectOf(users, membership),
        data: { reason, write, expiresAt: endsAt },
      },
    ],
  };
}

function requireImpersonable(
  membership: Member['membership'],
  { accountRecord, principal }: { accountRecord: Account; principal: SignedIn },
): void {
  if (accountRecord.impersonationForbidden) throw new ApiError('impersonation_forbidden');
  if (isSelf(principal, membership) || membership.accountAdmin || !isActiveMember(membership))
    throw new ApiError('not_impersonable');
}

function ownSession({ sessionId }: SignedIn): string {
  if (sessionId === undefined) throw new ApiError('users_only');
  return sessionId;
}
