import { eventKinds, happenings } from '../../shared/resources/derived.ts';
import type { EventKind, Happening } from '../../shared/resources/registry.ts';

/** Returns the event kind or happening that has the most pairs of letters in common with the text (Dice's coefficient). */
export function nearestKind(text: string): EventKind | Happening {
  const given = pairsOf(text.toLowerCase());
  const [first] = [...eventKinds, ...happenings].sort(
    (one, other) => likeness(given, other) - likeness(given, one),
  );
  return first ?? 'lead_created';
}

function likeness(given: ReadonlySet<string>, kind: string): number {
  const pairs = pairsOf(kind);
  return (2 * [...pairs].filter((pair) => given.has(pair)).length) / (pairs.size + given.size);
}

const pairsOf = (text: string): ReadonlySet<string> =>
  new Set(Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2)));
