import type { StoredUser } from './user.ts';

/** Whose event log a user's own doings enter: its home's, or, once it left, that of an account it belongs to. */
export const logAccountOf = ({ home, accountIds }: Pick<StoredUser, 'home' | 'accountIds'>): string =>
  accountIds.includes(home) ? home : (accountIds[0] ?? home);
