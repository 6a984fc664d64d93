/** RFC 3339, but seconds, zone and time of day are optional, as in ISO 8601. */
const dateTime =
  /^(\d{4})-(\d{2})-(\d{2})(?:T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))?)?$/i;

/** A stored instant: UTC with milliseconds, so that instants sort as strings. */
export const storedInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/**
 * Converts a date-time to UTC with milliseconds: `2026-03-01T10:30:00+01:00` becomes `2026-03-01T09:30:00.000Z`. The
 * default zone is UTC, and a date means midnight. Returns undefined for other texts, such as leap seconds.
 */
export function asInstant(text: string): string | undefined {
  const match = dateTime.exec(text);
  if (!match) return undefined;
  const [
    ,
    year,
    month,
    day,
    hour = '0',
    minute = '0',
    second = '0',
    fraction = '',
    sign,
    zoneHour = '0',
    zoneMinute = '0',
  ] = match;
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  const local = new Date(0);
  local.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // If the month does not have this day, Date returns a day of the next month.
  if (local.getUTCMonth() !== Number(month) - 1 || local.getUTCDate() !== Number(day)) return undefined;
  local.setUTCHours(Number(hour), Number(minute), Number(second), milliseconds);
  const offset = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -1 : 1);
  const instant = new Date(local.getTime() - offset * 60_000).toISOString();
  return storedInstant.test(instant) ? instant : undefined;
}

/** The local date at an instant in an IANA time zone, such as `2026-03-01`. */
export function dayIn(timezone: string, now: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(now);
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}
