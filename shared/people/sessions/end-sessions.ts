import type { SignedIn } from '../../security/principal.ts';
import type { Write } from '../../table/operations.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { apiKeys } from '../apikeys/store.ts';
import { endSessionsOf } from '../users/end-sessions-of.ts';
import { users } from '../users/store.ts';

/** Ends every session of a principal. Those of a user end with the impersonations of and by the user. */
export async function endSessions(request: Authored & { principal: SignedIn }): Promise<Write[]> {
  const { principal } = request;
  if (principal.kind === 'key') {
    const key = await apiKeys.get(principal.home, principal.id);
    return apiKeys.replace(key, revise(key, { sessionEpoch: key.sessionEpoch + 1 }, request));
  }
  return (await endSessionsOf(await users.self(principal), request)).writes;
}
