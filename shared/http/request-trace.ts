import type { Event, EventDraft, RequestTrace } from '../events/envelope.ts';
import { eventOf } from '../events/event-of.ts';
import { systemActor, traceOfTask } from '../events/system-event.ts';
import type { KnownCaller, Received } from './steps.ts';

/** Headers that are recorded with their values, because they contain no secret. */
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
/** Headers that are recorded without their values. */
const masked = ['authorization', 'x-api-key', 'x-api-secret', 'x-step-up-token'];

const longestHeader = 256;

/** The part of a request that its events contain: path without query, headers by allowlist, credentials masked. */
function traceOf({ event, ipAddress, headers: sent }: Received): RequestTrace {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(sent)) {
    if (masked.includes(name)) headers[name] = '[masked]';
    else if (shown.includes(name) && value !== undefined)
      headers[name] = (name === 'referer' ? value.split('?')[0] : value)?.slice(0, longestHeader) ?? '';
  }
  const { method } = event.requestContext.http;
  return { method, path: event.rawPath.slice(0, 1000), headers, ipAddress };
}

/** Completes the draft of an event with actor, time and request, or with the task of the service. */
export function toEvent(draft: EventDraft, request: Received & KnownCaller): Event {
  const { task } = draft;
  const cause =
    task === undefined
      ? { actor: request.principal?.actor ?? { user: 'anonymous', apiKey: null }, request: traceOf(request) }
      : { actor: systemActor, request: traceOfTask(task) };
  const { account, now } = request;
  return eventOf(draft, { account, now, decidedAt: request.clock(), ...cause });
}
