import { happened } from '../../events/emit.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import { hashPassword } from '../../security/passwords.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { hasAccepted, logAccountOf } from './rules.ts';
import type { Membership, StoredUser } from './schema.ts';
import { users } from './store.ts';

/**
 * Sets a new password and increments the epoch, which ends every session. `proves`: true if the request has a mailed
 * token, false if an account sets the password. With `as before`, the password is as proved as the current one.
 */
export async function withPassword(
  user: StoredUser,
  password: string,
  author: Authored,
  proves: boolean | 'as before',
): Promise<StoredUser> {
  const passwordHash = await hashPassword(password);
  const proved = proves === 'as before' ? undefined : proves || null;
  const accepted = hasAccepted(user);
  return revise(user, { passwordHash, proved, accepted, sessionEpoch: user.sessionEpoch + 1 }, author);
}

const byUser = (user: StoredUser) => ({
  account: logAccountOf(user),
  actor: { user: user.email, apiKey: null },
  subject: aboutUser(user),
});

export const passwordChanged = (user: StoredUser, by: 'password' | 'token'): EventDraft[] => [
  { kind: 'user_password_changed', ...byUser(user), data: { by } },
];

export const passwordForced = (membership: Membership): EventDraft[] =>
  happened(users, 'admin_force_set_password', membership);

export const passwordResetRequested = (user: StoredUser): EventDraft[] => [
  { kind: 'user_password_reset_requested', ...byUser(user), data: {} },
];

/** Omits the person's version and name, because an account may see only those of the membership. */
const aboutUser = ({ id, email }: StoredUser) => subjectOf(users, { id, email });
