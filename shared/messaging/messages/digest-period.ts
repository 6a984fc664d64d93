import { dayIn } from '../../instant.ts';
import { offsetPeriods } from '../../sla/zone-offsets.ts';

/** How often there is a digest. An hourly one is what is over the limit of an hour. */
export type Cadence = 'hourly' | 'weekly' | 'monthly';

/** What a digest collects until it is due. Weekly and monthly ones are named by a day, whatever the zone. */
export interface Period {
  name: string;
  due: Date;
}

const hour = 3_600_000;
const day = 24 * hour;
/** When digests go out, by the account's clock. */
const morning = 9 * hour;

/** The period of what arrives at an instant: the one that is due next. */
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

/** When a period is over: the first instant of its day that is 09:00 or later in the zone. */
export function dueOf(cadence: Cadence, name: string, timezone: string): Date {
  if (cadence === 'hourly') return new Date(name);
  const local = Date.parse(name) + morning;
  // No zone is a day and a half away from UTC.
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

/** This day, or the Monday that comes next. */
function mondayFrom(name: string): string {
  const at = Date.parse(name);
  return asDay(at + ((8 - new Date(at).getUTCDay()) % 7) * day);
}

/** This day, or the first of the next month. */
function firstOfMonthFrom(name: string): string {
  if (name.endsWith('-01')) return name;
  const at = new Date(name);
  return asDay(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
}

/** The content of a work item of mail that tells a user of all that is in its part of a digest. */
export interface UsersDigest {
  digest: Cadence;
  period: string;
  userId: number;
}

/** The id of the work item of mail that tells a user of its part of a digest. */
export const usersDigestId = ({ digest, period, userId }: UsersDigest): string =>
  `digest-${digest}-${period}-${userId}`;
