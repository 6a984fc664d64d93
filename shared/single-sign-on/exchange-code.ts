import { requireOpen } from '../accounts/close-account.ts';
import { accounts } from '../accounts/store.ts';
import { ApiError } from '../errors.ts';
import { updated } from '../events/emit.ts';
import type { EventDraft } from '../events/envelope.ts';
import { subjectOf } from '../events/subject.ts';
import { unnamedChange } from '../events/unnamed-change.ts';
import { identities, sameIdentity } from '../people/identities/store.ts';
import type { Roles } from '../people/roles/schema.ts';
import { roles } from '../people/roles/store.ts';
import { openSession } from '../people/sessions/store.ts';
import { teams } from '../people/teams/store.ts';
import { memberForEvents } from '../people/users/make-user.ts';
import { roleNames } from '../people/users/rules.ts';
import type { Membership } from '../people/users/schema.ts';
import { memberships, users } from '../people/users/store.ts';
import { digestOf } from '../security/keys.ts';
import { unseal } from '../security/sealed.ts';
import { inParallel } from '../table/in-parallel.ts';
import { asSeconds } from '../table/item.ts';
import { putIfAbsent, type Write } from '../table/operations.ts';
import { authoredBy, revise } from '../table/revise.ts';
import { type FoundMember, findSignOnMember, linkedMember, type SignOnContext } from './find-member.ts';
import type { SignOnCode } from './finish-sign-on.ts';
import { usedCodeKey } from './keys.ts';
import { mapRoles } from './map-roles.ts';
import { ssoConnections } from './store.ts';

interface ExchangeRequest {
  body: { code: string; codeVerifier: string; invitationToken?: string };
  now: Date;
}

/** A used code is remembered for longer than the sign-in at the provider and its code are valid. */
const rememberedSeconds = 15 * 60;

/**
 * Exchanges the one-time code of a sign-in for a session, which acts for the account only. Links the member at the first
 * sign-in. Throws `sign_on_state_invalid`, `account_closed`, and the errors of `findSignOnMember`.
 */
export async function exchangeCode({ body, now }: ExchangeRequest) {
  const code = await unseal<SignOnCode>('sign-on-code', body.code, now);
  if (!code || digestOf(body.codeVerifier) !== code.codeChallenge)
    throw new ApiError('sign_on_state_invalid');
  const { account, user } = code;
  const [connection, accountRecord, all, before] = await inParallel([
    ssoConnections.find(account, code.connectionId),
    accounts.get(account),
    roles.all(account),
    identities.find(account, user),
  ]);
  if (connection?.version !== code.connectionVersion) throw new ApiError('sign_on_state_invalid');
  requireOpen(accountRecord);
  const context = { connection, accountRecord, user, now };
  const linked = await linkedMember(account, before);
  const found = await findSignOnMember(context, linked, body.invitationToken);
  const member = { ...found.member, membership: await signedOn(found, context, all) };
  const { id, home, email, sessionEpoch: epoch } = member.user;
  const factor = user.secondFactor ? ('single_sign_on' as const) : undefined;
  const { issuer, subject, sid, provedAt = null } = user;
  const holder = { kind: 'user', id, home, hidesHome: true, epoch, factor, account, provedAt } as const;
  const session = await openSession(holder, now);
  const identity = { issuer, subject };
  const earlier = found.before?.membership;
  const replaced =
    earlier && !sameIdentity(earlier.identity, identity) ? await identities.endLink(earlier) : [];
  const used = {
    ...usedCodeKey(account, code.state),
    type: 'sso-code',
    expiresAtSeconds: asSeconds(now) + rememberedSeconds,
  };
  return {
    response: { token: session.token, accountId: account, email, expiresAt: session.expiresAt.toISOString() },
    writes: [
      putIfAbsent(used, new ApiError('sign_on_state_invalid')),
      ...found.writes,
      ...membershipWrites(found, member.membership),
      ...replaced,
      ...identities.addSession(
        account,
        { identity, before, user: member.user, session: { ...session, sid } },
        now,
      ),
      ...session.writes,
    ],
    events: eventsOf(found, member.membership, context, all, factor).map((event) => ({
      account,
      actor: { user: email, apiKey: null },
      ...event,
    })),
  };
}

/** Returns the membership after the sign-in: with the identity, and with the mapped roles and team if they apply. */
async function signedOn(
  { before, member: { user, membership }, accepts }: FoundMember,
  { connection, user: { issuer, subject, mappings }, now }: SignOnContext,
  all: Roles,
): Promise<Membership> {
  const mapsRoles = !before || (connection.rolesAtEverySignIn && !accepts && !membership.accountAdmin);
  const { roleIds, teamId } = mapRoles(connection, mappings, all);
  const team = mapsRoles && teamId !== undefined ? await teams.find(connection.accountId, teamId) : undefined;
  const set = {
    identity: { issuer, subject },
    ...(mapsRoles && { roleIds }),
    ...(team?.active && { teamId }),
  };
  return before ? revise(membership, set, authoredBy(user.email, now)) : { ...membership, ...set };
}

/** If the membership does not change, it must still be the one that was read: otherwise, the link may have ended. */
function membershipWrites(
  { before, member: { membership }, accepts }: FoundMember,
  after: Membership,
): Write[] {
  if (!before) return memberships.insert(after);
  if (membership === after) return accepts ? [] : [memberships.unchanged(after)];
  return memberships.replace(membership, after);
}

function eventsOf(
  found: FoundMember,
  after: Membership,
  { connection, user }: SignOnContext,
  all: Roles,
  factor: 'single_sign_on' | undefined,
): EventDraft[] {
  const { before, member } = found;
  const { accountId: account } = connection;
  const subject = subjectOf(users, after);
  const [from, to] = [roleNames(member.membership, all), roleNames(after, all)];
  const rolesChanged: EventDraft[] =
    before && String(from) !== String(to)
      ? [{ kind: 'user_roles_updated', subject, data: { from, to } }]
      : [];
  const isLinked = sameIdentity(before?.membership.identity, user);
  const { id: userId, email } = after;
  const host = new URL(user.issuer).host;
  const signedIn: EventDraft = {
    kind: 'user_logged_in',
    subject: { type: 'user', id: userId, label: email },
    data: { method: 'single_sign_on', ...(factor && { factor }) },
  };
  return [
    ...found.events,
    ...(before
      ? updated(users, 'user_updated', memberForEvents(member.membership), memberForEvents(after))
      : []),
    ...rolesChanged,
    ...(isLinked
      ? []
      : unnamedChange(
          account,
          'sso_identity_linked',
          after,
          { userId, email, host },
          { type: 'user', id: userId },
        )),
    signedIn,
  ];
}
