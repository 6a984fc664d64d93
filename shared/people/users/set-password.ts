import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import { hashPassword } from '../../security/passwords.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { logAccountOf } from './rules.ts';
import type { StoredUser } from './schema.ts';
import { users } from './store.ts';

/** Sets a new password and increments the epoch, which ends every session. */
export async function withPassword(
  user: StoredUser,
  password: string,
  author: Authored,
): Promise<StoredUser> {
  const passwordHash = await hashPassword(password);
  return revise(user, { passwordHash, sessionEpoch: user.sessionEpoch + 1, invitationOpen: null }, author);
}

const byUser = (user: StoredUser) => ({
  account: logAccountOf(user),
  actor: { user: user.email, apiKey: null },
  subject: aboutUser(user),
});

export const passwordChanged = (user: StoredUser, by: 'password' | 'token'): EventDraft[] => [
  { kind: 'user_password_changed', ...byUser(user), data: { by } },
];

export const passwordForced = (user: StoredUser): EventDraft[] => [
  { kind: 'admin_force_set_password', subject: aboutUser(user), data: {} },
];

export const passwordResetRequested = (user: StoredUser): EventDraft[] => [
  { kind: 'user_password_reset_requested', ...byUser(user), data: {} },
];

/** Omits the user's version, because an account may see only the version of the membership. */
const aboutUser = ({ id, name, email }: StoredUser) => subjectOf(users, { id, name, email });
