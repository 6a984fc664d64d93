import { canonicalJson } from '../../events/canonical.ts';
import { withoutValues } from '../../events/changes.ts';
import type { Event } from '../../events/envelope.ts';

/** What a webhook wants of an event. */
interface PayloadShape {
  payloadVersion: 1;
  payload: 'full' | 'thin';
}

/** In bytes. A larger payload names what changed and leaves out from what to what. */
const largest = 20 * 1024;

/**
 * The body of a delivery, canonical JSON in UTF-8: a pure function of the stored event and of the shape, so that every
 * attempt sends the same bytes. A version only gains fields. Larger than 20 KB it names what changed, and says `truncated`.
 */
export function payloadOf(event: Event, { payloadVersion, payload }: PayloadShape): Buffer {
  const { subject, actor, data } = event;
  if (payload === 'thin') return bytesOf(event, payloadVersion, { subject, actor });
  const full = bytesOf(event, payloadVersion, { subject, actor, ...data });
  if (full.length <= largest) return full;
  const named = 'changes' in data ? { ...data, changes: withoutValues(data.changes) } : {};
  const brief = bytesOf(event, payloadVersion, { subject, actor, ...named, truncated: true });
  return brief.length <= largest
    ? brief
    : bytesOf(event, payloadVersion, { subject, actor, truncated: true });
}

const bytesOf = ({ kind, occurredAt, accountId }: Event, version: 1, data: object): Buffer =>
  Buffer.from(canonicalJson({ type: kind, version, timestamp: occurredAt, accountId, data }));
