import { eventKinds, happeningChanges } from '../resources/derived.ts';
import type { EventKind, Happening } from '../resources/registry.ts';

const known = new Set<string>(eventKinds);

export const isEventKind = (text: string): text is EventKind => known.has(text);

export const isHappening = (text: string): text is Happening => Object.hasOwn(happeningChanges, text);

/** Returns the happening in an event. Undefined for events of other kinds, and for events from before happenings existed. */
export function happeningOf({ kind, data }: { kind: EventKind; data: object }): Happening | undefined {
  if (kind !== 'no_event_name' || !('happening' in data)) return undefined;
  const { happening } = data;
  return typeof happening === 'string' && isHappening(happening) ? happening : undefined;
}
