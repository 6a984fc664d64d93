import type { StoredApiKey } from './schema.ts';

/**
 * Returns the permissions of a key. A key without `statesReveal` was created before `revealSensitive` existed, and its
 * permissions were not set since then. The key keeps showing sensitive values, so it has this permission.
 */
export const permissionsOfKey = ({
  flatPermissionsList,
  statesReveal,
}: Pick<StoredApiKey, 'flatPermissionsList' | 'statesReveal'>): readonly string[] =>
  statesReveal || flatPermissionsList.includes('revealSensitive')
    ? flatPermissionsList
    : [...flatPermissionsList, 'revealSensitive'];
