import type { EventDraft } from '../events/envelope.ts';
import { hashPassword } from '../security/passwords.ts';
import { revise } from '../table/revise.ts';
import { logAccountOf } from './log-account.ts';
import type { StoredUser } from './schema.ts';

/** The user with a new password. Its epoch moves on, which ends every session it has. */
export async function withPassword(
  user: StoredUser,
  password: string,
  by: string,
  now: Date,
): Promise<StoredUser> {
  const passwordHash = await hashPassword(password);
  return revise(user, { passwordHash, sessionEpoch: user.sessionEpoch + 1, invitationOpen: null }, by, now);
}

/** What a user's own new password announces, and what proved that it may: the old one, or a token. */
export const passwordChanged = (user: StoredUser, by: 'password' | 'token'): EventDraft[] => [
  {
    kind: 'user_password_changed',
    account: logAccountOf(user),
    actor: { user: user.email, apiKey: null },
    subject: { type: 'user', id: user.id },
    data: { by },
  },
];
