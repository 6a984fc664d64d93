import { ApiError } from '../errors.ts';
import type { SignedIn } from '../security/principal.ts';
import type { StoredAccount } from './schema.ts';

/**
 * Throws `factor_required` if the account requires a second factor, and the session of a user has proved none, or
 * `passkey_required` if it requires a passkey, and the session has proved none. The endpoints without an account, such as
 * those that add a factor, do not call this function.
 */
export function requireFactor(
  {
    mfa,
    mfaEnforcedFrom,
    passkeysEnforcedFrom,
  }: Pick<StoredAccount, 'mfa' | 'mfaEnforcedFrom' | 'passkeysEnforcedFrom'>,
  { kind, factor }: Pick<SignedIn, 'kind' | 'factor'>,
  now: Date,
): void {
  if (mfa === undefined || mfa.policy === 'off' || kind !== 'user') return;
  const isEnforced = (from: string | undefined) => from === undefined || Date.parse(from) <= now.getTime();
  if (factor === undefined && isEnforced(mfaEnforcedFrom)) throw new ApiError('factor_required');
  const needsPasskey = mfa.policy === 'phishingResistant' && isEnforced(passkeysEnforcedFrom);
  if (needsPasskey && factor !== 'passkey') throw new ApiError('passkey_required');
}
