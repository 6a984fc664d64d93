import { REDACTED } from './merge-fields.ts';

/** A part of a text: from the UTF-16 code unit `from` to the unit before `to`. */
export interface Span {
  from: number;
  to: number;
}

/** Replaces parts of a text with REDACTED. Parts that overlap or touch are replaced once. */
export function redactSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const sorted = spans.toSorted((one, other) => one.from - other.from);
  const pieces: string[] = [];
  let end = -1;
  for (const { from, to } of sorted) {
    if (from > end) pieces.push(text.slice(Math.max(end, 0), from), REDACTED);
    end = Math.max(end, to);
  }
  pieces.push(text.slice(end));
  return pieces.join('');
}
