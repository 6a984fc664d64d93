import { partOf } from '../amounts/exact.ts';
import { addMicros } from '../amounts/micros.ts';
import type { ResidualLine, Transfer } from './calculation.ts';

/** The days on which a beneficiary holds a MID. */
interface Holding {
  holder: string;
  from: number;
  to: number;
  transferIds: number[];
}

/**
 * Divides lines of MIDs that were transferred. In the month of the transfer, an amount is divided by days, or everything that
 * the former beneficiary has of it moves. In later months, the whole amount moves, as long as the agreement names the former beneficiary. The parts of a line
 * are together exactly its amount.
 */
export function divideByTransfers(
  lines: readonly ResidualLine[],
  { month, transfers }: { month: string; transfers: readonly Transfer[] },
): ResidualLine[] {
  const mid = lines[0]?.mid.toUpperCase();
  const about = transfers
    .filter((one) => one.mid.trim().toUpperCase() === mid && one.date.slice(0, 7) <= month)
    .sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : one.id - other.id));
  if (about.length === 0) return [...lines];
  const days = daysIn(month);
  return lines.flatMap((line) => divided(line, holdingsOf(line.beneficiary, about, month, days), days));
}

function daysIn(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}

/** The first day of the month on which the new beneficiary holds the MID. `since`: that of the former beneficiary. */
const startOf = ({ date, by }: Transfer, month: string, since: number): number =>
  by === 'month' || date.slice(0, 7) < month ? since : Number(date.slice(8));

function holdingsOf(first: string, transfers: readonly Transfer[], month: string, days: number): Holding[] {
  const holdings: Holding[] = [{ holder: first, from: 1, to: days, transferIds: [] }];
  for (const transfer of transfers) {
    const last = holdings.at(-1);
    if (!last || last.holder !== transfer.from) continue;
    const start = startOf(transfer, month, last.from);
    last.to = start - 1;
    holdings.push({
      holder: transfer.to,
      from: start,
      to: days,
      transferIds: [...last.transferIds, transfer.id],
    });
  }
  return holdings.filter(({ from, to }) => to >= from);
}

function divided(line: ResidualLine, holdings: readonly Holding[], days: number): ResidualLine[] {
  if (holdings.length === 1 && holdings[0]?.holder === line.beneficiary) return [line];
  return holdings.map(({ holder, from, to, transferIds }) => {
    const amount = addMicros(partOf(line.amount, to, days), -partOf(line.amount, from - 1, days));
    return {
      ...line,
      beneficiary: holder,
      days: { from, to, of: days },
      whole: line.amount,
      ...(transferIds.length > 0 && { transferIds }),
      amount,
    };
  });
}
