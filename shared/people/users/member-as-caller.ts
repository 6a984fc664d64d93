import type { SignedIn } from '../../security/principal.ts';
import type { Roles } from '../roles/schema.ts';
import { grantedTo } from './rules.ts';
import type { Membership } from './schema.ts';

/** Returns a member as the caller of a request in the account. An inactive or invited member has no permissions. */
export const memberAsCaller = (membership: Membership, roles: Roles): SignedIn => ({
  kind: 'user',
  id: membership.id,
  home: membership.accountId,
  log: membership.accountId,
  actor: { user: membership.email, apiKey: null },
  administrator: membership.accountAdmin,
  teamId: membership.teamId,
  managedTeamIds: membership.managedTeamIds,
  permissions: grantedTo(membership, roles),
});
