import type { SignedIn } from '../../security/principal.ts';
import type { Write } from '../../table/operations.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { apiKeys } from '../apikeys/store.ts';
import { endOfPerson } from '../impersonation-records/open-impersonations.ts';
import { users } from '../users/store.ts';

/** Ends every session of a principal, with the impersonations of and by the principal, by incrementing the epoch. Sessions of an earlier epoch are invalid. */
export async function endSessions(request: Authored & { principal: SignedIn }): Promise<Write[]> {
  const { principal } = request;
  if (principal.kind === 'key') {
    const key = await apiKeys.get(principal.home, principal.id);
    return apiKeys.replace(key, revise(key, { sessionEpoch: key.sessionEpoch + 1 }, request));
  }
  const user = await users.self(principal);
  return [
    ...users.replace(user, revise(user, { sessionEpoch: user.sessionEpoch + 1 }, request)),
    ...(await endOfPerson(user.accountIds, user.id, request)),
  ];
}
