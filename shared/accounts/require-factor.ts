import { ApiError } from '../errors.ts';
import type { SignedIn } from '../security/principal.ts';
import type { StoredAccount } from './schema.ts';

/**
 * Throws `factor_required` if the account requires a second factor, and the session of a user has proved none. The
 * endpoints without an account, such as those that add a factor, do not call this function.
 */
export function requireFactor(
  { mfa, mfaEnforcedFrom }: Pick<StoredAccount, 'mfa' | 'mfaEnforcedFrom'>,
  { kind, factor }: Pick<SignedIn, 'kind' | 'factor'>,
  now: Date,
): void {
  const isInGrace = mfaEnforcedFrom !== undefined && Date.parse(mfaEnforcedFrom) > now.getTime();
  if (mfa?.policy !== 'required' || isInGrace) return;
  if (kind === 'user' && factor === undefined) throw new ApiError('factor_required');
}
