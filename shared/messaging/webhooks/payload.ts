import { canonicalJson } from '../../events/canonical.ts';
import { withoutValues } from '../../events/changes.ts';
import type { Event } from '../../events/envelope.ts';

interface PayloadShape {
  payloadVersion: 1;
  payload: 'full' | 'thin';
}

/** The maximum size of a payload, in bytes. */
const largest = 20 * 1024;

/**
 * Returns the body of a delivery as canonical JSON, so that every attempt sends the same bytes. Fields may be added to
 * a payload version, but never removed. A body over 20 KB is marked `truncated` and omits the changed values. If it is still
 * too large, it omits all data of the event.
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
