import { invalid } from '../errors.ts';
import { calendarDay } from '../formats.ts';
import { asInstant, endOfDay } from '../instant.ts';
import type { Account } from './schema.ts';

/**
 * Returns an expiry as a stored instant. A date means the last millisecond of that day in the account's time zone.
 * Throws `invalid_input` for other texts that are not a date-time.
 */
export function readExpiry(field: string, text: string, { timezone }: Pick<Account, 'timezone'>): string {
  const instant = calendarDay.test(text) ? endOfDay(text, timezone).toISOString() : asInstant(text);
  if (instant === undefined) throw invalid(field, 'must be an ISO 8601 date or date-time');
  return instant;
}
