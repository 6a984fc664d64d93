import type { Roles } from '../people/roles/schema.ts';
import type { SsoConnection, StoredSsoConnection } from './schema.ts';

/** Returns a connection as the API shows it, without its secret. Roles that were deleted are omitted. */
export function showSsoConnection(
  { secret, defaultRoleIds, roleMappings, ...connection }: StoredSsoConnection,
  all: Roles,
): SsoConnection {
  const namesOf = (ids: readonly number[]) => ids.flatMap((id) => all.roles[id]?.name ?? []);
  const { accountId, id } = connection;
  return {
    ...connection,
    defaultRoles: namesOf(defaultRoleIds),
    roleMappings: roleMappings.map(({ roleIds, ...mapping }) => ({ ...mapping, roles: namesOf(roleIds) })),
    startPath: `/auth/sso/start?accountId=${accountId}&connectionId=${id}`,
    callbackPath: '/auth/sso/callback',
    logoutPath: `/auth/sso/logout/${accountId}/${id}`,
  };
}
