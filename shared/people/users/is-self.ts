import { ApiError } from '../../errors.ts';
import { normalizeEmail } from '../../formats.ts';
import type { Principal, SignedIn } from '../../security/principal.ts';
import { requireOwnFactor } from '../../security/require-user.ts';
import type { StoredUser } from './schema.ts';

/** Reports whether a text of a request is the email or the id of the principal. */
export const namesSelf = (
  { kind, id, actor }: Pick<Principal, 'kind' | 'id' | 'actor'>,
  name: string,
): boolean => kind === 'user' && (normalizeEmail(name) === actor.user || name === String(id));

export const isSelf = (principal: Principal, { id }: { id: number }): boolean =>
  principal.kind === 'user' && principal.id === id;

/**
 * Reports whether the principal is this person and has proved the mailbox. An account could know a password that was not
 * set with a mailed token, so such a session acts for the account and not for the person.
 */
export const isProvedSelf = (principal: Principal, person: { id: number }): boolean =>
  isSelf(principal, person) && principal.proved === true;

/**
 * Throws if an administrator names itself in a request for other users' passwords and factors, and may not change its own:
 * `own_session_required` for a session by single sign-on, and the errors of `requireOwnFactor`.
 */
export function requireOwnFactorOfSelf(principal: SignedIn, person: StoredUser): void {
  if (!isSelf(principal, person)) return;
  if (principal.signedOnTo) throw new ApiError('own_session_required');
  requireOwnFactor(principal, person);
}
