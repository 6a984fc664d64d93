/** Why a cell or a row of a file is rejected, or deserves attention. */
export const problemReasons = [
  /** A formula whose result the file does not contain. */
  'formula_without_value',
  /** An error such as `#REF!`. */
  'error_value',
  /** `1.23E+15`: a spreadsheet has removed digits. */
  'scientific_notation',
  /** A number of more than 15 digits, of which a spreadsheet keeps only the first 15. */
  'digits_lost',
  /** A number that can mean two numbers, such as `1,234` without a known decimal separator. */
  'ambiguous_number',
  'not_a_number',
  /** A date in the column of an amount. */
  'date_for_number',
  'too_large',
  'other_currency',
  /** The row has more cells than the heading, so that its amounts may be in other columns. */
  'columns_differ',
  'mid_missing',
  'mid_unreadable',
  'net_missing',
  /** The month in the row is another one than that of the file. The row is kept. */
  'other_month',
  /** The date of the row is not a date. The row is kept. */
  'date_unreadable',
] as const;
export type ProblemReason = (typeof problemReasons)[number];
