import type { ReachedType } from '../../resources/registry.ts';
import { withContained } from '../../security/permissions.ts';
import { type Reaching, reasonsToReach, type Use } from '../../security/reach.ts';
import type { StoredApiKey } from '../apikeys/schema.ts';
import { usablePermissions } from '../roles/account-permissions.ts';
import type { Roles } from '../roles/schema.ts';
import { memberAsCaller } from '../users/member-as-caller.ts';
import type { Membership } from '../users/schema.ts';
import type { RecordAccess } from './schema.ts';

/** The users and API keys of an account, with its roles. */
interface Everybody {
  members: readonly Membership[];
  keys: readonly StoredApiKey[];
  roles: Roles;
  now: Date;
}

/** Returns who may read or change a record, and why, by the same rule as every request. */
export function explainAccess(
  type: ReachedType,
  record: object,
  { members, keys, roles, now }: Everybody,
): Required<RecordAccess> {
  const users = members.map((member) => ({
    ...{ id: member.id, email: member.email, name: member.name },
    ...accessOf(type, record, memberAsCaller(member, roles)),
  }));
  const valid = keys.filter(({ expiresAt }) => !expiresAt || Date.parse(expiresAt) > now.getTime());
  const apiKeys = valid.map(({ id, apiKey, description, flatPermissionsList }) => ({
    ...{ id, apiKey, description },
    ...accessOf(type, record, {
      ...{ administrator: false, kind: 'key', id, actor: { user: apiKey } },
      permissions: withContained(usablePermissions(flatPermissionsList, roles)),
    }),
  }));
  return { users: users.filter(hasAccess), apiKeys: apiKeys.filter(hasAccess) };
}

function accessOf(type: ReachedType, record: object, reaching: Reaching & { administrator: boolean }) {
  const reasons = (use: Use) => {
    const found = reasonsToReach(reaching, type, use, record);
    return reaching.administrator && found[0] === 'all' ? ['administrator' as const] : found;
  };
  return { read: reasons('read'), change: reasons('write') };
}

const hasAccess = ({ read, change }: { read: readonly string[]; change: readonly string[] }): boolean =>
  read.length + change.length > 0;
