import { apiKeys } from '../apikeys/api-keys.ts';
import type { Caller } from '../auth/caller.ts';
import { Refusal } from '../http/errors.ts';
import { revise } from '../table/revise.ts';
import type { Write } from '../table/write.ts';
import { users } from '../users/users.ts';

/** Ends every session of a caller: its epoch moves on, and each session belongs to one epoch. */
export async function endSessions(caller: Caller, now: Date): Promise<Write[]> {
  const by = caller.actor.user;
  if (caller.kind === 'key') {
    const key = await apiKeys.get(caller.home, String(caller.id));
    return apiKeys.replace(key, revise(key, { sessionEpoch: key.sessionEpoch + 1 }, by, now));
  }
  const user = await users.find(caller);
  if (!user) throw new Refusal('not_authenticated');
  return users.replace(user, revise(user, { sessionEpoch: user.sessionEpoch + 1 }, by, now));
}
