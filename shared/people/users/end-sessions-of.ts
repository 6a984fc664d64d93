import type { Write } from '../../table/operations.ts';
import { type Authored, type Revision, revise } from '../../table/revise.ts';
import { endOfPerson } from '../impersonation-records/open-impersonations.ts';
import type { StoredUser } from './schema.ts';
import { users } from './store.ts';

interface EndOfSessions {
  /** Other changes of the person. */
  change?: Revision<StoredUser>;
  /** The session whose impersonations do not end. */
  kept?: string;
}

/**
 * Ends every session of a person, with the impersonations of and by the person, by incrementing the epoch. Sessions of an
 * earlier epoch are invalid. Returns the changed person, and the writes.
 */
export async function endSessionsOf(
  user: StoredUser,
  author: Authored,
  { change, kept }: EndOfSessions = {},
): Promise<{ after: StoredUser; writes: Write[] }> {
  const after = revise(user, { ...change, sessionEpoch: user.sessionEpoch + 1 }, author);
  const ended = await endOfPerson(user.accountIds, user.id, author, kept);
  return { after, writes: [...users.replace(user, after), ...ended] };
}
