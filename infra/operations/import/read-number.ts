export type DecimalSeparator = 'point' | 'comma';

/** The result of reading a cell: its value, or a message about the cell that shows the option to add. */
export type CellReading<T> = { value: T } | { message: string };

/** A number with groups of three digits, such as `1,234.50`. The groups are separated by one of the characters. */
const grouped = (separators: string, decimal: string): RegExp =>
  new RegExp(
    `^-?(?:0|[1-9]\\d*|[1-9]\\d{0,2}([${separators} \\u00a0\\u202f'’])\\d{3}(?:\\1\\d{3})*)(?:\\${decimal}\\d+)?$`,
  );

const notations: Readonly<Record<DecimalSeparator, { pattern: RegExp; sign: string }>> = {
  point: { pattern: grouped(',', '.'), sign: '.' },
  comma: { pattern: grouped('.', ','), sign: ',' },
};

/**
 * Reads a number, optionally with a dollar sign. Without `separator`, a decimal comma is not accepted, and a number such
 * as `25.000` is ambiguous: it is 25 with a decimal point, and 25,000 with a decimal comma. Returns undefined for text that
 * is not a number, such as `007`.
 */
export function readNumber(given: string, separator?: DecimalSeparator): CellReading<number> | undefined {
  const text = given.replace(/^(-?)\$\s*/, '$1').replace(/\s*\$$/, '');
  const as = (one: DecimalSeparator): number | undefined => {
    const { pattern, sign } = notations[one];
    if (!pattern.test(text)) return undefined;
    const [whole = '', fraction = '0'] = text.split(sign);
    return Number(`${whole.replaceAll(/[^\d-]/g, '')}.${fraction}`);
  };
  const [point, comma] = [as('point'), as('comma')];
  const own = separator === 'comma' ? comma : point;
  const other = separator === 'comma' ? point : comma;
  if (separator === undefined && point !== undefined && comma !== undefined && point !== comma)
    return {
      message: `"${given}" can mean ${point} or ${comma}: add --decimal point or --decimal comma`,
    };
  if (own !== undefined) return { value: own };
  if (other === undefined) return undefined;
  const [found, wanted] = separator === 'comma' ? ['point', 'comma'] : ['comma', 'point'];
  const reason = separator ? `but --decimal is ${wanted}` : `so add --decimal comma to read ${other}`;
  return { message: `"${given}" has a decimal ${found}, ${reason}` };
}
