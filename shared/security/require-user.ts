import { ApiError } from '../errors.ts';
import type { SignedIn } from './principal.ts';

/** Throws `users_only` for an API key. */
export function requireUser(principal: SignedIn): SignedIn {
  if (principal.kind === 'key') throw new ApiError('users_only');
  return principal;
}

/** Also throws `mailbox_not_proved`: an account may know a password that is not proved. */
export function requireProvedUser(principal: SignedIn): SignedIn {
  if (!requireUser(principal).proved) throw new ApiError('mailbox_not_proved');
  return principal;
}

/**
 * Throws unless the session has proved a factor of the person, if there is one: `factor_required`, or `passkey_required` if
 * the person has a passkey and the session has proved only a code of an app. Otherwise, a code that a false page has
 * collected would be enough to add a passkey. A recovery code also proves the person, for a lost passkey.
 */
export function requireOwnFactor(
  { factor }: Pick<SignedIn, 'factor'>,
  person: { secondFactor?: true; hasPasskey?: true },
): void {
  if (person.secondFactor && factor === undefined)
    throw new ApiError('factor_required', {
      message: 'You have a second factor. Log in again with your factor.',
    });
  if (person.hasPasskey && factor === 'totp') throw new ApiError('passkey_required');
}
