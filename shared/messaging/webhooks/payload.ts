import { canonicalJson } from '../../events/canonical.ts';
import { withoutValues } from '../../events/changes.ts';
import type { Event } from '../../events/envelope.ts';
import { happeningOf } from '../../events/kinds.ts';

interface PayloadShape {
  payloadVersion: 1;
  payload: 'full' | 'thin';
  /** The API key whose records the webhook is limited to. */
  externalKeyId?: number;
}

/** The maximum size of a payload, in bytes. */
const largest = 20 * 1024;

/**
 * Returns the body of a delivery as canonical JSON, so that every attempt sends the same bytes. Fields may be added to
 * a payload version, but never removed. A body over 20 KB is marked `truncated` and omits the changed values. If it is still
 * too large, it omits all data of the event.
 */
export function payloadOf(event: Event, { payloadVersion, payload, externalKeyId }: PayloadShape): Buffer {
  const { subject, actor, data } = externalKeyId === undefined ? event : withoutStaff(event);
  const happening = happeningOf(event);
  const brief = { ...(happening && { happening }), subject, actor };
  if (payload === 'thin') return bytesOf(event, payloadVersion, brief);
  const full = bytesOf(event, payloadVersion, { subject, actor, ...data });
  if (full.length <= largest) return full;
  const named = 'changes' in data ? { ...data, changes: withoutValues(data.changes) } : {};
  const shortened = bytesOf(event, payloadVersion, { ...brief, ...named, truncated: true });
  return shortened.length <= largest
    ? shortened
    : bytesOf(event, payloadVersion, { ...brief, truncated: true });
}

/**
 * Removes the parts of an event that staff wrote or that name staff. All kinds of the external API except
 * `extapi_status_change` are caused by the key itself.
 */
function withoutStaff({ kind, subject, actor, data }: Event): Pick<Event, 'subject' | 'actor' | 'data'> {
  const isOwn = kind.startsWith('extapi_') && kind !== 'extapi_status_change';
  return {
    subject: { type: subject.type, id: subject.id },
    actor: isOwn ? actor : { user: 'staff', apiKey: null },
    data,
  };
}

const bytesOf = ({ kind, occurredAt, accountId }: Event, version: 1, data: object): Buffer =>
  Buffer.from(canonicalJson({ type: kind, version, timestamp: occurredAt, accountId, data }));
