import type { Principal } from '../../security/principal.ts';

/** Reports whether a caller may reveal account numbers: a user with a proof, or a key with `revealSensitive`. */
export const mayRevealAccounts = ({ kind, permissions }: Pick<Principal, 'kind' | 'permissions'>): boolean =>
  kind !== 'key' || permissions.has('revealSensitive');
