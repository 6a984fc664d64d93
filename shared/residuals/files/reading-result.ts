import { addMicros, type Micros } from '../amounts/micros.ts';
import type { ResidualRow } from './residual-row.ts';
import { mostShown, type ResidualFileProblem } from './schema.ts';

/** The longest text of a cell in a problem. */
const longestText = 60;

/** The totals that a sheet states. A grand total replaces other totals. */
interface SheetTotals {
  sum: Micros;
  stated?: Micros;
  isGrand: boolean;
}

/** Counts and sums what is read from a file. */
export class ReadingResult {
  rows = 0;
  rejectedRows = 0;
  total: Micros = 0;
  problemCount = 0;
  readonly problems: ResidualFileProblem[] = [];
  /** The number of rows of each MID. */
  readonly mids = new Map<string, number>();
  readonly #sheets: SheetTotals[] = [];

  startSheet(): void {
    this.#sheets.push({ sum: 0, isGrand: false });
  }

  /** The sum of the rows of the current sheet. */
  get sheetSum(): Micros {
    return this.#sheets.at(-1)?.sum ?? 0;
  }

  /** Throws `AmountTooLarge` if the sum of all rows is not exact. */
  add({ mid, net }: ResidualRow): void {
    this.rows++;
    this.total = addMicros(this.total, net);
    this.mids.set(mid, (this.mids.get(mid) ?? 0) + 1);
    const sheet = this.#sheets.at(-1);
    if (sheet) sheet.sum = addMicros(sheet.sum, net);
  }

  report({ text, column, ...problem }: ResidualFileProblem): void {
    this.problemCount++;
    if (this.problems.length >= mostShown) return;
    this.problems.push({
      ...problem,
      ...(column !== undefined && { column: column.slice(0, longestText) }),
      ...(text !== undefined && { text: text.slice(0, longestText) }),
    });
  }

  state(total: Micros, isGrand: boolean): undefined {
    const sheet = this.#sheets.at(-1);
    if (!sheet || (sheet.isGrand && !isGrand)) return;
    sheet.stated = total;
    sheet.isGrand = isGrand;
  }

  /** The sum of the totals that sheets state, and by how much it exceeds the rows of these sheets. */
  get totals(): { statedTotal?: Micros; difference?: Micros } {
    const stated = this.#sheets.filter((sheet) => sheet.stated !== undefined);
    if (stated.length === 0) return {};
    const sumOf = (amountOf: (sheet: SheetTotals) => Micros) =>
      stated.reduce((sum, sheet) => addMicros(sum, amountOf(sheet)), 0);
    const statedTotal = sumOf(({ stated: total = 0 }) => total);
    return { statedTotal, difference: addMicros(statedTotal, -sumOf(({ sum }) => sum)) };
  }

  /** The MIDs with several rows. */
  get repeatedMids(): string[] {
    return [...this.mids].filter(([, rows]) => rows > 1).map(([mid]) => mid);
  }
}
