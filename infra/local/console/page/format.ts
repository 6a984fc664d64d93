/** Milliseconds since 1970, or a text in ISO 8601. */
export type Instant = number | string | Date;

/** The local time of an instant, for example `15:49:37.123`. */
export function timeOf(instant: Instant): string {
  const date = new Date(instant);
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** Like `timeOf`, with the date if the instant is not today, for example `2026-11-23 15:49:37.123`. */
export function momentOf(instant: Instant): string {
  const date = new Date(instant);
  if (date.toDateString() === new Date().toDateString()) return timeOf(instant);
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${date.getFullYear()}-${month}-${day} ${timeOf(instant)}`;
}

/** A duration, for example `17 ms`, `1.4 s` or `3 min`. */
export function durationOf(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${Math.round(milliseconds / 60_000)} min`;
}

/** A size, for example `1.4 KB`. */
export const sizeText = (bytes: number): string =>
  bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KB`;

/** A number with its noun, for example `1 write` or `2 writes`. */
export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : nouns}`;

/** Indents JSON. If the text is not JSON, returns the text unchanged. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The class for the color of an HTTP status. */
export function statusClass(status: number): string {
  if (status >= 500) return 'state-error';
  return status >= 400 ? 'state-warning' : 'state-ok';
}

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
