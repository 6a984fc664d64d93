import { invalid } from '../errors.ts';

/** Throws `invalid_input` for a time zone that ICU does not know. */
export function checkTimezone(timezone: string | undefined): void {
  if (timezone === undefined) return;
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    throw invalid('timezone', 'must be an IANA time zone, such as America/New_York');
  }
}
