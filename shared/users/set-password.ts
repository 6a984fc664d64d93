import { hashPassword } from '../auth/password.ts';
import { revise } from '../table/revise.ts';
import type { StoredUser } from './user.ts';

/** The user with a new password. Its epoch moves on, which ends every session it has. */
export async function withPassword(
  user: StoredUser,
  password: string,
  by: string,
  now: Date,
): Promise<StoredUser> {
  const passwordHash = await hashPassword(password);
  return revise(user, { passwordHash, sessionEpoch: user.sessionEpoch + 1 }, by, now);
}
