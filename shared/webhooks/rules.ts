import { ApiError } from '../errors.ts';
import { type EventKind, isEventKind } from '../events/kinds.ts';
import type { SignedIn } from '../security/principal.ts';
import { mayRead, permissionsOfKind } from '../security/read-permission.ts';
import { revise } from '../table/revise.ts';
import { judgeUrl } from './judge-address.ts';
import type { StoredWebhook, WebhookPatch } from './schema.ts';

/**
 * The kinds that a text names, each once, in the order in which they came. Throws `invalid_input`, which names each that
 * is none.
 */
export function readKinds(names: readonly string[]): EventKind[] {
  const unknown = names.flatMap((name, index) =>
    isEventKind(name) ? [] : [{ field: `events[${index}]`, message: `${name} is no kind of event` }],
  );
  if (unknown.length > 0) throw new ApiError('invalid_input', { details: unknown.slice(0, 20) });
  return [...new Set(names)].filter(isEventKind);
}

/** What somebody is about to have events sent to. */
interface Destination {
  url: string;
  events: readonly EventKind[];
}

/**
 * Whoever says where events go hears of them. Throws `grant_exceeds_own` unless the principal may read all that is
 * new: the kinds that are, and every kind where the address is. Left out `before`: all is new.
 */
export function requireReadable(
  principal: SignedIn,
  before: Destination | undefined,
  after: Destination,
): void {
  const moved = before?.url !== after.url;
  const heard = after.events.filter((kind) => moved || !before?.events.includes(kind));
  if (!heard.every((kind) => mayHear(principal, kind))) throw new ApiError('grant_exceeds_own');
}

/** Whoever may read the event log reads every kind in it. */
const mayHear = (principal: SignedIn, kind: EventKind): boolean =>
  principal.permissions.has('readEvents') || mayRead(principal, permissionsOfKind(kind));

/** Throws `invalid_input` for an address to which nothing is sent. Design, "Webhooks". */
export function requireUrl(url: string): void {
  const details = judgeUrl(url);
  if (details.length > 0) throw new ApiError('invalid_input', { details });
}

/**
 * The webhook after a change that somebody sent. Made active again, it forgets why the service disabled it. Throws
 * `invalid_input` and `grant_exceeds_own`.
 */
export function changeWebhook(
  before: StoredWebhook,
  { events, ...sent }: WebhookPatch,
  request: { principal: SignedIn; now: Date },
): StoredWebhook {
  if (sent.url !== undefined) requireUrl(sent.url);
  const kinds = events && readKinds(events);
  const after = revise(
    before,
    { ...sent, events: kinds, ...(sent.active && { disabledReason: null }) },
    request,
  );
  // An inactive webhook that becomes active hears all that it wants again.
  if (after.active) requireReadable(request.principal, before.active ? before : undefined, after);
  return after;
}
