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
