import type { Event, EventDraft } from '../events/envelope.ts';
import { eventOf } from '../events/event-of.ts';
import type { HttpEvent, RequestContext } from './request-context.ts';
import { traceOf } from './request-trace.ts';

/** The whole event: what the endpoint emits, with who did it, when, and through which request. */
export const toEvent = (draft: EventDraft, event: HttpEvent, requestContext: RequestContext): Event =>
  eventOf(draft, {
    account: requestContext.account,
    actor: requestContext.principal?.actor ?? { user: 'anonymous', apiKey: null },
    now: requestContext.now,
    decidedAt: requestContext.clock(),
    request: traceOf(event),
  });
