import { createHash } from 'node:crypto';
import type { AccountId } from '../../id/account-id.ts';
import { recordOf } from '../../table/item.ts';
import { putItem, type Write } from '../../table/operations.ts';
import { queryItems } from '../../table/read.ts';
import { statementDayKey } from '../keys.ts';
import { type BankEntry, isUnreadRow, type ReadStatement, type StatementFormat } from './statement.ts';

/**
 * The booked transactions of a bank account on one day. Exports of the same day in two formats agree in all fields
 * except the format, as far as they have them.
 */
interface StatementDay {
  day: string;
  currency: string;
  format: StatementFormat;
  /** A hash of the amounts in ascending order. */
  amounts: string;
  /** The last digits of the account, because formats write accounts differently. Empty if the file does not name it. */
  accountEnd: string;
  /** The balance at the end of the day. Missing if the file has no balances. */
  closing?: number;
}

/** Returns the name of an entry’s day in `daysOf`. */
export const dayName = ({
  account,
  day,
  currency,
}: Pick<BankEntry, 'day' | 'currency'> & { account: string }) => JSON.stringify([account, currency, day]);

/** The days of a statement, by `dayName`. */
export type StatementDays = ReadonlyMap<string, StatementDay>;

/** Returns the days of a statement. A day can be divided into several parts, such as the pages of MT940. */
export function daysOf({ format, parts }: ReadStatement): StatementDays {
  const found = new Map<string, StatementDay & { sizes: number[] }>();
  for (const { account, currency, opening, rows } of parts) {
    const accountEnd = account.replace(/\D/g, '').slice(-4);
    const hasBalance = opening !== undefined && !rows.some(isUnreadRow);
    const booked = rows
      .filter((row): row is BankEntry => !isUnreadRow(row) && row.held !== 'pending')
      .toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0));
    let balance = opening ?? 0;
    for (const entry of booked) {
      const name = dayName({ ...entry, account });
      const { closing: _, ...day } = found.get(name) ?? {
        ...{ day: entry.day, currency: entry.currency, format, accountEnd, amounts: '', sizes: [] },
      };
      day.sizes.push(entry.amount);
      if (entry.currency === currency) balance += entry.amount;
      const closing = hasBalance && entry.currency === currency ? { closing: balance } : {};
      found.set(name, { ...day, ...closing });
    }
  }
  return new Map(
    [...found].map(([name, { sizes, ...day }]) => [name, { ...day, amounts: hashOf(sizes) }] as const),
  );
}

const hashOf = (amounts: readonly number[]): string =>
  createHash('sha256')
    .update(amounts.toSorted((one, other) => one - other).join())
    .digest('base64url')
    .slice(0, 22);

/** Returns the days that earlier imports recorded, from the first to the last of these days. */
export async function importedDays(account: AccountId, days: StatementDays): Promise<StatementDay[]> {
  const sorted = [...days.values()].map(({ day }) => day).sort();
  const [from = '', to = ''] = [sorted[0], sorted.at(-1)];
  const { pk: partition } = statementDayKey(account, '');
  const items = await queryItems({ partition, sortKey: { from, to: `${to}~` } });
  return items.map((item) => recordOf<StatementDay>(item));
}

/** Reports whether an import of another format recorded the same transactions on this day. */
export const isImported = (one: StatementDay, imported: readonly StatementDay[]): boolean =>
  imported.some(
    (other) =>
      other.format !== one.format &&
      other.day === one.day &&
      other.currency === one.currency &&
      other.amounts === one.amounts &&
      agree(other.accountEnd || undefined, one.accountEnd || undefined) &&
      agree(other.closing, one.closing),
  );

const agree = <V>(one: V | undefined, other: V | undefined): boolean =>
  one === undefined || other === undefined || one === other;

/** Returns the writes that record days. Days that were recorded before have none. */
export const recordedDays = (
  account: AccountId,
  days: readonly StatementDay[],
  imported: readonly StatementDay[],
): Write[] => {
  const known = new Set(imported.map(nameOf));
  return days
    .filter((day) => !known.has(nameOf(day)))
    .map((day) => putItem({ ...statementDayKey(account, nameOf(day)), type: 'statement-day', ...day }));
};

const nameOf = ({ day, currency, amounts, format, accountEnd }: StatementDay): string =>
  [day, currency, amounts, format, accountEnd].join('#');
