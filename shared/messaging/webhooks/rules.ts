import { ApiError, invalid } from '../../errors.ts';
import { isEventKind } from '../../events/kinds.ts';
import type { StoredApiKey } from '../../people/apikeys/schema.ts';
import type { EventKind } from '../../resources/registry.ts';
import type { SignedIn } from '../../security/principal.ts';
import { mayReadEvents, permissionsOfKind } from '../../security/read-permission.ts';
import { revise } from '../../table/revise.ts';
import { validateUrl } from './destination.ts';
import type { StoredWebhook, WebhookPatch } from './schema.ts';

/** Validates kinds of events and removes duplicates. Throws `invalid_input` with up to 20 unknown kinds. */
export function readKinds(names: readonly string[]): EventKind[] {
  const unknown = names.flatMap((name, index) =>
    isEventKind(name)
      ? []
      : [{ field: `events[${index}]`, message: `${name} is not an event kind: see GET /event-kinds` }],
  );
  if (unknown.length > 0) throw new ApiError('invalid_input', { details: unknown.slice(0, 20) });
  return [...new Set(names)].filter(isEventKind);
}

/** The webhook's API key, if the webhook is limited to the records that this key sent. */
type Scope = Pick<StoredWebhook, 'externalKeyId'>;

/**
 * Throws `grant_exceeds_own` if the caller lacks the permission to read events of one of these kinds. A key may read the
 * events of the records that it sent.
 */
export function requireReadable(
  principal: SignedIn,
  kinds: readonly EventKind[],
  { externalKeyId }: Scope,
): void {
  const isOwn =
    principal.kind === 'key' && principal.id === externalKeyId && principal.permissions.has('useExternalApi');
  if (!isOwn && !kinds.every((kind) => mayReadEvents(principal, permissionsOfKind(kind))))
    throw new ApiError('grant_exceeds_own');
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
 * Returns the kinds for which the caller needs permission: all kinds if the URL or payload format changes or
 * the webhook becomes active, otherwise the added kinds. The rule also applies to inactive webhooks, because
 * users can request redeliveries to them.
 */
function kindsGranted(before: StoredWebhook, after: StoredWebhook): readonly EventKind[] {
  const all =
    before.url !== after.url ||
    before.payload !== after.payload ||
    before.payloadVersion !== after.payloadVersion ||
    (after.active && !before.active);
  return all ? after.events : after.events.filter((kind) => !before.events.includes(kind));
}

export function requireUrl(url: string): void {
  const details = validateUrl(url);
  if (details.length > 0) throw new ApiError('invalid_input', { details });
}

/** Returns the changed webhook. Activation clears `disabledReason`. Throws `invalid_input` and `grant_exceeds_own`. */
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
  if (kinds) requireScoped(before, kinds);
  requireReadable(request.principal, kindsGranted(before, after), before);
  return after;
}
