import { dayIn } from '../../instant.ts';
import { offsetPeriods } from '../../sla/zone-offsets.ts';

/** How often a digest is sent. An hourly digest contains the notifications that exceeded the hourly limit. */
export type Cadence = 'hourly' | 'weekly' | 'monthly';

/** The period that a digest covers. The name of a weekly or monthly period is the local date on which it ends. */
export interface Period {
  name: string;
  due: Date;
}

const hour = 3_600_000;
const day = 24 * hour;
/** The local time at which digests are sent. */
const morning = 9 * hour;

/** Returns the period to which an event at `now` belongs: the period that is due next. */
export function periodAt(cadence: Cadence, now: Date, timezone: string): Period {
  if (cadence === 'hourly') {
    const name = new Date((Math.floor(now.getTime() / hour) + 1) * hour).toISOString();
    return { name, due: new Date(name) };
  }
  const today = dayIn(timezone, now);
  for (let first = today; ; ) {
    const name = cadence === 'weekly' ? mondayFrom(first) : firstOfMonthFrom(first);
    const due = dueOf(cadence, name, timezone);
    if (due > now) return { name, due };
    first = nextDay(name);
  }
}

/**
 * Returns when the digest of a period is due: the first instant at which the local time on the day `name` is
 * 09:00 or later. An hourly digest is due at the end of its hour.
 */
export function dueOf(cadence: Cadence, name: string, timezone: string): Date {
  if (cadence === 'hourly') return new Date(name);
  const local = Date.parse(name) + morning;
  // Every zone's UTC offset is smaller than a day and a half.
  const instants = offsetPeriods(timezone, local - 1.5 * day, local + 1.5 * day).flatMap(
    ({ from, to, offset }) => {
      const at = Math.max(from, local - offset);
      return at < to ? [at] : [];
    },
  );
  return new Date(Math.min(...instants));
}

const asDay = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
const nextDay = (name: string): string => asDay(Date.parse(name) + day);

/** Returns this day if it is a Monday. Otherwise, returns the next Monday. */
function mondayFrom(name: string): string {
  const at = Date.parse(name);
  return asDay(at + ((8 - new Date(at).getUTCDay()) % 7) * day);
}

/** Returns this day if it is the first of a month. Otherwise, returns the first of the next month. */
function firstOfMonthFrom(name: string): string {
  if (name.endsWith('-01')) return name;
  const at = new Date(name);
  return asDay(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
}

/** The content of a work item that sends one user's part of a digest by mail. */
export interface UsersDigest {
  digest: Cadence;
  period: string;
  userId: number;
}

export const usersDigestId = ({ digest, period, userId }: UsersDigest): string =>
  `digest-${digest}-${period}-${userId}`;
