import type { ShareBase } from '../agreements/schema.ts';
import type { Micros } from '../amounts/micros.ts';

/** A row of a processor's file, with the parts that shares depend on. */
export interface CalculatedRow {
  processor: string;
  fileId: number;
  place: number;
  mid: string;
  /** The merchant that has the MID, if the account knows it. */
  merchantId?: number;
  dba?: string;
  count?: number;
  volume?: Micros;
  income?: Micros;
  net: Micros;
}

/** A merchant's MID that moves from one beneficiary to another. */
export interface Transfer {
  id: number;
  mid: string;
  /** The names of the beneficiaries: `user:1234`. */
  from: string;
  to: string;
  /** The first day of the new beneficiary: `2026-10-17`. */
  date: string;
  /** `day`: the month is divided by its days. `month`: the new beneficiary receives the whole month. */
  by: 'day' | 'month';
}

/** The days of a month that a line is about. */
interface DaysOf {
  from: number;
  to: number;
  of: number;
}

/** How an amount of a line came about, with all numbers that enter it. */
export interface Arithmetic {
  /** What the share is a part of. */
  base: Micros;
  /** `items`: an amount for each transaction. */
  of: ShareBase | 'items';
  basisPoints?: number;
  count?: number;
  amountPerItem?: Micros;
  /** The costs that were subtracted from the net amount. */
  costs?: Micros;
  /** The total that selected the tier. */
  tierTotal?: Micros;
  /** The share after the end of the agreement. */
  hasEnded?: true;
  /** For a line of the kind `limit`: the sum of the shares of the MID, and the limit. */
  sum?: Micros;
  minimum?: Micros;
  cap?: Micros;
  /** Set if a transfer divides the amount. `whole`: the amount of all days. */
  days?: DaysOf;
  whole?: Micros;
  transferIds?: number[];
}

/** The share of one beneficiary in one row. */
export interface ResidualLine extends Arithmetic {
  kind: 'share' | 'override' | 'limit';
  /** The name of the beneficiary: `user:1234`. */
  beneficiary: string;
  mid: string;
  dba?: string;
  processor: string;
  fileId: number;
  place: number;
  agreementId: number;
  agreementVersion: number;
  /** 0 for the beneficiary of the agreement, 1 to 5 for the levels above. */
  level: number;
  amount: Micros;
  /** True if the line takes back a line that was posted before. */
  takenBack?: true;
}

/** The result of a calculation. The amounts of the lines and `house` are together exactly `net`. */
export interface Calculation {
  lines: ResidualLine[];
  net: Micros;
  shares: Micros;
  house: Micros;
  byBeneficiary: Map<string, Micros>;
  rows: number;
  /** The rows to which no agreement applies. */
  withoutAgreement: number;
  /** The rows without the amount, such as the volume, on which their share is based. */
  withoutBase: number;
}
