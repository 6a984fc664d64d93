import { eventKinds } from '../../../shared/resources/derived.ts';
import type { EventKind } from '../../../shared/resources/registry.ts';

/** Returns the event kind that has the most pairs of letters in common with the text (Dice's coefficient). */
export function nearestKind(text: string): EventKind {
  const given = pairsOf(text.toLowerCase());
  const [first] = eventKinds.toSorted((one, other) => likeness(given, other) - likeness(given, one));
  return first ?? 'lead_created';
}

function likeness(given: ReadonlySet<string>, kind: EventKind): number {
  const pairs = pairsOf(kind);
  return (2 * [...pairs].filter((pair) => given.has(pair)).length) / (pairs.size + given.size);
}

const pairsOf = (text: string): ReadonlySet<string> =>
  new Set(Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2)));
