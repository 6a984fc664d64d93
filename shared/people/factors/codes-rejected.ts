import type { Request } from '../../endpoints/endpoint.ts';
import type { Event } from '../../events/envelope.ts';
import { eventOf } from '../../events/event-of.ts';
import type { StoredUser } from '../users/schema.ts';
import { aboutFactors } from './change-factors.ts';

/** Returns the event of many wrong codes. The actor is not known: the user, or another person with the user's password. */
export function codesRejected(
  user: StoredUser,
  { now, path, headers, ipAddress }: Pick<Request, 'now' | 'path' | 'headers' | 'ipAddress'>,
): Event[] {
  const { 'user-agent': agent = '' } = headers;
  const request = { method: 'POST', path, headers: { 'user-agent': agent.slice(0, 256) }, ipAddress };
  const actor = { user: 'anonymous', apiKey: null };
  return aboutFactors(user, 'factor_codes_rejected').map((draft) =>
    eventOf(draft, { account: undefined, actor, now, request }),
  );
}
