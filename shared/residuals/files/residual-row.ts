import type { Micros } from '../amounts/micros.ts';

/** A row of a processor's file: the amounts of one MID, often those of one card type. */
export interface ResidualRow {
  /**
   * The row number in the file, from 1, and different for each row. The rows of a second sheet continue after the last row
   * of the first one.
   */
  place: number;
  /** The sheet, and the row number in it, if the file has sheets. */
  sheet?: string;
  sheetRow?: number;
  /** As in the file, without spaces around it. */
  mid: string;
  dba?: string;
  /** The number of transactions. */
  count?: number;
  volume?: Micros;
  income?: Micros;
  expense?: Micros;
  net: Micros;
  /** The fees of the format by name. A fee whose cells are empty is omitted. */
  fees?: Record<string, Micros>;
}
