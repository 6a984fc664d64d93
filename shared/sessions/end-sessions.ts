import { apiKeys } from '../apikeys/store.ts';
import { ApiError } from '../errors.ts';
import type { Principal } from '../security/principal.ts';
import type { Write } from '../table/operations.ts';
import { revise } from '../table/revise.ts';
import { users } from '../users/store.ts';

/** Ends every session of a caller: its epoch moves on, and each session belongs to one epoch. */
export async function endSessions(principal: Principal, now: Date): Promise<Write[]> {
  const by = principal.actor.user;
  if (principal.kind === 'key') {
    const key = await apiKeys.get(principal.home, String(principal.id));
    return apiKeys.replace(key, revise(key, { sessionEpoch: key.sessionEpoch + 1 }, by, now));
  }
  const user = await users.find(principal);
  if (!user) throw new ApiError('not_authenticated');
  return users.replace(user, revise(user, { sessionEpoch: user.sessionEpoch + 1 }, by, now));
}
