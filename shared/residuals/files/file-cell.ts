import type { ProblemReason } from './problems.ts';

/** A file that cannot be read. The message is a sentence for the person who uploaded it. */
export class UnreadableFile extends Error {}

/**
 * A cell of a file: a text, a number or a date (`2026-10-31`) as a spreadsheet stores it, or a cell whose value cannot be
 * used. `digits` is the number of digits to which a spreadsheet pads the number, as for MIDs with leading zeros. `sign` is the
 * currency that it shows with the number.
 */
export type FileCell =
  | string
  | { number: string; digits?: number; sign?: string }
  | { date: string }
  | { text: string; rejected: ProblemReason };

/** A row of a file. Missing cells are empty. */
export interface FileRow {
  /** The row number in the sheet, or the number of the line in a text, from 1. */
  row: number;
  cells: readonly (FileCell | undefined)[];
}

/** A sheet of a file. A text file has one sheet without a name. */
export interface FileSheet {
  name?: string;
  isHidden: boolean;
  /** Reads the rows in groups, without empty rows. */
  rows(): AsyncIterable<readonly FileRow[]>;
}

/** Returns the text of a cell as a person sees it in problems. */
export function textOf(cell: FileCell | undefined): string {
  if (cell === undefined || typeof cell === 'string') return cell ?? '';
  if ('number' in cell) return cell.number;
  return 'date' in cell ? cell.date : cell.text;
}

/** Reports whether a cell has no value. */
export const isEmptyCell = (cell: FileCell | undefined): boolean =>
  cell === undefined || (typeof cell === 'string' && cell.trim() === '');
