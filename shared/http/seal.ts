import type { Announcement, Event } from '../../events/event.ts';
import { mintId } from '../table/mint.ts';
import { traceOf } from './trace.ts';
import type { HttpEvent, Turn } from './turn.ts';

/** An event is what was announced, and by whom, when and through which request. */
export function seal({ account, actor, ...announcement }: Announcement, event: HttpEvent, turn: Turn): Event {
  const accountId = account ?? turn.account;
  if (accountId === undefined) throw new Error(`${announcement.kind} names no account`);
  return {
    id: mintId(turn.now),
    version: 1,
    accountId,
    actor: actor ?? turn.caller?.actor ?? { user: 'anonymous', apiKey: null },
    occurredAt: turn.now.toISOString(),
    request: traceOf(event),
    ...announcement,
  };
}
