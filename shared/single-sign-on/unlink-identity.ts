import type { Effects } from '../events/envelope.ts';
import { unnamedChange } from '../events/unnamed-change.ts';
import { type Identity, identities } from '../people/identities/store.ts';
import type { Membership } from '../people/users/schema.ts';
import { memberships } from '../people/users/store.ts';
import { type Authored, revise } from '../table/revise.ts';

/** Removes the link of a member, and ends the sessions that began with it. */
export async function unlinkIdentity(
  membership: Membership,
  identity: Identity,
  request: Authored,
): Promise<Effects> {
  const { accountId: account, id: userId, email } = membership;
  return {
    writes: [
      ...memberships.replace(membership, revise(membership, { identity: null }, request)),
      ...(await identities.endLink(membership)),
    ],
    events: unnamedChange(
      account,
      'sso_identity_unlinked',
      membership,
      { userId, email, host: new URL(identity.issuer).host },
      { type: 'user', id: userId },
    ),
  };
}
