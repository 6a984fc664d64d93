import type { AccountId } from '../../id/account-id.ts';
import { accountsByPrimacy } from './rules.ts';
import type { StoredUser } from './schema.ts';

/**
 * Whose event log a user's own doings enter: its home's, or, once it left, that of an account it belongs to. While it
 * belongs to none they enter one of its own, which no account reads: a former home and an account that invited it have
 * no business there.
 */
export const logAccountOf = (user: Pick<StoredUser, 'id' | 'home' | 'accountIds'>): AccountId =>
  accountsByPrimacy(user)[0] ?? ownLogOf(user);

/** The log of a user that belongs to no account. */
export const ownLogOf = ({ id }: { id: number | string }): AccountId => `user_${id}` as AccountId;
