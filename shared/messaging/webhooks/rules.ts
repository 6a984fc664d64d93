import { ApiError, invalid } from '../../errors.ts';
import { isEventKind, isHappening } from '../../events/kinds.ts';
import type { StoredApiKey } from '../../people/apikeys/schema.ts';
import type { EventKind, Happening } from '../../resources/registry.ts';
import type { SignedIn } from '../../security/principal.ts';
import { hidesSomeOfKind, mayReadEvents, permissionsOfKind } from '../../security/read-permission.ts';
import { revise } from '../../table/revise.ts';
import { validateUrl } from './destination.ts';
import type { StoredWebhook, WebhookPatch } from './schema.ts';

/** Validates names and removes duplicates. Throws `invalid_input` with up to 20 unknown names. */
function readNames<N extends string>(
  field: 'events' | 'happenings',
  names: readonly string[],
  { isKnown, is }: { isKnown(name: string): name is N; is: string },
): N[] {
  const unknown = names.flatMap((name, index) =>
    isKnown(name)
      ? []
      : [{ field: `${field}[${index}]`, message: `${name} is not ${is}: see GET /event-kinds` }],
  );
  if (unknown.length > 0) throw new ApiError('invalid_input', { details: unknown.slice(0, 20) });
  return [...new Set(names)].filter(isKnown);
}

/** Validates kinds of events. Throws `invalid_input`. */
export const readKinds = (names: readonly string[]): EventKind[] =>
  readNames('events', names, { isKnown: isEventKind, is: 'an event kind' });

/** Validates the happenings of a webhook that subscribes to `kinds`. Throws `invalid_input`. */
export function readHappenings(names: readonly string[], kinds: readonly EventKind[]): Happening[] {
  if (!kinds.includes('no_event_name'))
    throw invalid('happenings', 'must be omitted, because events does not contain no_event_name');
  return readNames('happenings', names, { isKnown: isHappening, is: 'a happening' });
}

/** The webhook's API key, if the webhook is limited to the records that this key sent. */
type Scope = Pick<StoredWebhook, 'externalKeyId'>;

/**
 * Throws `grant_exceeds_own` if the caller lacks the permission to read events of one of these kinds, or if some of the events
 * are hidden from the caller: a webhook receives all of them. A key may read the events of the records that it sent.
 */
export function requireReadable(
  principal: SignedIn,
  kinds: readonly EventKind[],
  { externalKeyId }: Scope,
): void {
  const isOwn =
    principal.kind === 'key' && principal.id === externalKeyId && principal.permissions.has('useExternalApi');
  const mayReadAll = (kind: EventKind) =>
    mayReadEvents(principal, permissionsOfKind(kind)) && !hidesSomeOfKind(principal, kind);
  if (!isOwn && !kinds.every(mayReadAll)) throw new ApiError('grant_exceeds_own');
}

const isExternal = (kind: EventKind): boolean => kind.startsWith('extapi_');

/** Throws `invalid_input` if a webhook that is limited to a key's records subscribes to other kinds. */
export function requireScoped({ externalKeyId }: Scope, kinds: readonly EventKind[]): void {
  const index = externalKeyId === undefined ? -1 : kinds.findIndex((kind) => !isExternal(kind));
  if (index >= 0)
    throw invalid(`events[${index}]`, 'must begin with extapi_, because the webhook has an externalKeyId');
}

/** The default of `externalKeyId`: a key with `useExternalApi` that subscribes only to `extapi_` kinds is limited to itself. */
export const ownScope = (principal: SignedIn, kinds: readonly EventKind[]): number | undefined =>
  principal.kind === 'key' &&
  principal.permissions.has('useExternalApi') &&
  kinds.length > 0 &&
  kinds.every(isExternal)
    ? principal.id
    : undefined;

/**
 * Reports whether a key may still receive events of the records that it sent: it exists, has not expired, and has the
 * permission. This is checked at each attempt, because a key can lose its rights after the webhook was created.
 */
export const mayUseExternalApi = (
  key: Pick<StoredApiKey, 'flatPermissionsList' | 'expiresAt'> | undefined,
  now: Date,
): boolean =>
  key?.flatPermissionsList.includes('useExternalApi') === true &&
  !(key.expiresAt && Date.parse(key.expiresAt) <= now.getTime());

/**
 * Returns the kinds for which the caller needs permission: all kinds if the URL or payload format changes or the webhook
 * becomes active, otherwise the added kinds and the kind of added happenings. The rule also applies to inactive webhooks,
 * because users can request redeliveries to them.
 */
function kindsGranted(before: StoredWebhook, after: StoredWebhook): readonly EventKind[] {
  const all =
    before.url !== after.url ||
    before.payload !== after.payload ||
    before.payloadVersion !== after.payloadVersion ||
    (after.active && !before.active);
  if (all) return after.events;
  const known = addsHappenings(before, after)
    ? before.events.filter((kind) => kind !== 'no_event_name')
    : before.events;
  return after.events.filter((kind) => !known.includes(kind));
}

/** Reports whether the webhook receives events `no_event_name` that it did not receive before. */
const addsHappenings = (
  { happenings: before }: StoredWebhook,
  { happenings: after }: StoredWebhook,
): boolean => before !== undefined && !(after?.every((happening) => before.includes(happening)) ?? false);

export function requireUrl(url: string): void {
  const details = validateUrl(url);
  if (details.length > 0) throw new ApiError('invalid_input', { details });
}

/** Returns the changed webhook. Activation clears `disabledReason`. Throws `invalid_input` and `grant_exceeds_own`. */
export function changeWebhook(
  before: StoredWebhook,
  { events, happenings, ...sent }: WebhookPatch,
  request: { principal: SignedIn; now: Date },
): StoredWebhook {
  if (sent.url !== undefined) requireUrl(sent.url);
  const kinds = events && readKinds(events);
  const subscribed = kinds ?? before.events;
  const named = happenings && readHappenings(happenings, subscribed);
  const after = revise(
    before,
    {
      ...sent,
      events: kinds,
      happenings: subscribed.includes('no_event_name') ? named : null,
      ...(sent.active && { disabledReason: null }),
    },
    request,
  );
  if (kinds) requireScoped(before, kinds);
  requireReadable(request.principal, kindsGranted(before, after), before);
  return after;
}
