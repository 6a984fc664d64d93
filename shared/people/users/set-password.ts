import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import { hashPassword } from '../../security/passwords.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { logAccountOf } from './rules.ts';
import type { StoredUser } from './schema.ts';
import { users } from './store.ts';

/** The user with a new password. Its epoch moves on, which ends every session it has. */
export async function withPassword(
  user: StoredUser,
  password: string,
  author: Authored,
): Promise<StoredUser> {
  const passwordHash = await hashPassword(password);
  return revise(user, { passwordHash, sessionEpoch: user.sessionEpoch + 1, invitationOpen: null }, author);
}

/** The event of a user's own new password, with what proved its right: the old password, or a token. */
export const passwordChanged = (user: StoredUser, by: 'password' | 'token'): EventDraft[] => [
  {
    kind: 'user_password_changed',
    account: logAccountOf(user),
    actor: { user: user.email, apiKey: null },
    subject: aboutUser(user),
    data: { by },
  },
];

/** The event of a password that an administrator set. */
export const passwordForced = (user: StoredUser): EventDraft[] => [
  { kind: 'admin_force_set_password', subject: aboutUser(user), data: {} },
];

/** The event of somebody asking for a mail that resets a user's password. */
export const passwordResetRequested = (user: StoredUser): EventDraft[] => [
  {
    kind: 'user_password_reset_requested',
    account: logAccountOf(user),
    actor: { user: user.email, apiKey: null },
    subject: aboutUser(user),
    data: {},
  },
];

/** Without a version: an account sees that of the membership. */
const aboutUser = ({ id, name, email }: StoredUser) => subjectOf(users, { id, name, email });
