/** The local time of an instant, for example `15:49:37.123`. `instant` is milliseconds since 1970 or ISO 8601. */
export function timeOf(instant) {
  const date = new Date(instant);
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** Like `timeOf`, with the date if the instant is not today, for example `2026-11-23 15:49:37.123`. */
export function momentOf(instant) {
  const date = new Date(instant);
  if (date.toDateString() === new Date().toDateString()) return timeOf(instant);
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${date.getFullYear()}-${month}-${day} ${timeOf(instant)}`;
}

/** A duration, for example `17 ms`, `1.4 s` or `3 min`. */
export function durationOf(milliseconds) {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${Math.round(milliseconds / 60_000)} min`;
}

/** A size, for example `1.4 KB`. */
export const sizeOf = (bytes) => (bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KB`);

/** A number with its noun, for example `1 write` or `2 writes`. */
export const countOf = (count, noun, nouns = `${noun}s`) => `${count} ${count === 1 ? noun : nouns}`;

/** An amount in the smallest unit of a currency with this number of decimals, for example `270.63 USD`. */
export const moneyOf = (amount, { currency = '', digits }) =>
  `${(amount / 10 ** digits).toFixed(digits)} ${currency}`;

const limitNouns = { users: 'user', apiKeys: 'API key', webhooks: 'webhook' };

/** The limits of an account or of an account type, for example `20 users, 5 webhooks`. */
export function limitsOf({ requestsPerMinute, ...limits } = {}) {
  const texts = Object.entries(limitNouns)
    .filter(([name]) => limits[name] !== undefined)
    .map(([name, noun]) => countOf(limits[name], noun));
  if (requestsPerMinute !== undefined) texts.push(`${countOf(requestsPerMinute, 'request')} per minute`);
  return texts.join(', ') || 'those of the service';
}

/** Indents JSON. If the text is not JSON, returns the text unchanged. */
export function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The class for the color of an HTTP status. */
export function stateOf(status) {
  if (status >= 500) return 'state-error';
  return status >= 400 ? 'state-warning' : 'state-ok';
}

export const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);
