import type { Event, EventDraft, RequestTrace } from '../events/envelope.ts';
import { eventOf } from '../events/event-of.ts';
import type { HttpEvent, RequestContext } from './request-context.ts';

/** Headers that say something about a request and nothing about a secret. */
const shown = [
  'accept',
  'accept-language',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'if-match',
  'origin',
  'referer',
  'user-agent',
  'x-account-id',
];
/** Headers whose presence matters and whose value must not be kept. */
const masked = ['authorization', 'cookie', 'x-api-key', 'x-api-secret'];

const longestHeader = 256;

/** What an event keeps of its request: the path without its query, headers by allowlist, credentials masked. */
export function traceOf(event: HttpEvent): RequestTrace {
  const headers: Record<string, string> = {};
  for (const [given, value] of Object.entries(event.headers)) {
    const name = given.toLowerCase();
    if (masked.includes(name)) headers[name] = '[masked]';
    else if (shown.includes(name) && value !== undefined)
      headers[name] = (name === 'referer' ? value.split('?')[0] : value)?.slice(0, longestHeader) ?? '';
  }
  const { method, sourceIp } = event.requestContext.http;
  return { method, path: event.rawPath.slice(0, 1000), headers, ipAddress: sourceIp };
}

/** The whole event: what the endpoint emits, with who did it, when, and through which request. */
export const toEvent = (draft: EventDraft, event: HttpEvent, requestContext: RequestContext): Event =>
  eventOf(draft, {
    account: requestContext.account,
    actor: requestContext.principal?.actor ?? { user: 'anonymous', apiKey: null },
    now: requestContext.now,
    decidedAt: requestContext.clock(),
    request: traceOf(event),
  });
