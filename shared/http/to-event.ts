import type { Event, EventDraft } from '../events/envelope.ts';
import { mintId } from '../id/mint.ts';
import type { HttpEvent, RequestContext } from './request-context.ts';
import { traceOf } from './request-trace.ts';

/** The whole event: what the endpoint emits, with who did it, when, and through which request. */
export function toEvent(
  { account, actor, ...draft }: EventDraft,
  event: HttpEvent,
  requestContext: RequestContext,
): Event {
  const accountId = account ?? requestContext.account;
  if (accountId === undefined) throw new Error(`${draft.kind} names no account`);
  return {
    id: mintId(requestContext.now),
    version: 1,
    accountId,
    actor: actor ?? requestContext.principal?.actor ?? { user: 'anonymous', apiKey: null },
    occurredAt: requestContext.now.toISOString(),
    request: traceOf(event),
    ...draft,
  };
}
