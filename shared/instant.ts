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

/** The regions of IANA's time zone database. Other zones, such as EST and Etc/GMT+5, have no daylight saving time. */
const regions = /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\//;

/** Reports whether a text is `UTC` or the name of a region's time zone. Former and alternative names are accepted. */
export function isRegionalZone(name: string): boolean {
  if (name !== 'UTC' && !regions.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
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
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

/** Milliseconds of a day without a clock change. */
export const dayLength = 24 * 3_600_000;
/** Stored instants have years of four digits. */
const firstAfterStored = Date.parse('9999-12-31T23:59:59.999Z') + 1;

/** Returns the date that is a number of days later. */
export const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayLength).toISOString().slice(0, 10);

/** Returns the first millisecond of a date in an IANA time zone. */
export const startOfDay = (date: string, timezone: string): Date =>
  new Date(endOfDay(daysAfter(date, -1), timezone).getTime() + 1);

/** Returns the last millisecond of a date in an IANA time zone. Days with a clock change are longer or shorter. */
export function endOfDay(date: string, timezone: string): Date {
  // Every zone's UTC offset is smaller than a day, so the end of the date is in this range.
  let inside = Date.parse(date) - dayLength;
  let after = Math.min(Date.parse(date) + 3 * dayLength, firstAfterStored);
  while (after - inside > 1) {
    const middle = Math.floor((inside + after) / 2);
    if (dayIn(timezone, new Date(middle)) <= date) inside = middle;
    else after = middle;
  }
  return new Date(inside);
}
