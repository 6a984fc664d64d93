/** The smallest positive number that DynamoDB supports. */
const smallest = 1e-130;

/**
 * Reports whether a number is stored exactly: the nearest double must print as the same decimal, an integer must be
 * within ±(2^53 − 1), and DynamoDB must support the number. For example, `1.10`, `1e3` and `-0` are stored exactly, but
 * `0.1000000000000000055`, 2^53 + 1 and `1e400` are not.
 */
export function isExact(decimal: string): boolean {
  const number = Number(decimal);
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) return false;
  if (number !== 0 && Math.abs(number) < smallest) return false;
  const printed = String(number);
  return decimal === printed || canonical(decimal) === canonical(printed);
}

/** The canonical form of a decimal: its significant digits and a power of ten. */
function canonical(decimal: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(decimal) ?? [];
  if (whole === undefined) return decimal;
  const digits = whole + fraction;
  let from = 0;
  while (digits[from] === '0') from += 1;
  let to = digits.length;
  while (to > from && digits[to - 1] === '0') to -= 1;
  if (from === to) return '0';
  return `${sign}${digits.slice(from, to)}e${Number(exponent) - fraction.length + digits.length - to}`;
}

/**
 * Matches numbers that may be inexact: numbers with an exponent or with at least 16 characters. Other numbers
 * have at most 15 digits and are always exact. Also matches whole strings, so that digits inside strings are not
 * taken for numbers. The search takes linear time, because every string in valid JSON is closed.
 */
const candidates =
  /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.-])-?(?:\d[\d.]{15,}(?:e[+-]?\d+)?|\d[\d.]{0,14}e[+-]?\d+)/gi;

/** A number in a text, and its index. */
interface NumberAt {
  text: string;
  index: number;
}

/** Finds the first number that would not be stored exactly. `json` must be valid JSON. */
export function findInexactNumber(json: string): NumberAt | undefined {
  for (const { 0: text, index } of json.matchAll(candidates))
    if (!text.startsWith('"') && !isExact(text)) return { text, index };
  return undefined;
}

/** Returns the path of the field with this number, or undefined if a later field with the same name replaces it. */
export function fieldOf(json: string, { text, index }: NumberAt): string | undefined {
  // Replaces the number with 1e999, which parses as Infinity. The first Infinity in the parsed value is this
  // number: an earlier number that parses as Infinity would be inexact, so it would have been found first.
  const marked = `${json.slice(0, index)}1e999${json.slice(index + text.length)}`;
  return pathTo(JSON.parse(marked), '');
}

function pathTo(value: unknown, path: string): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    const found = pathTo(inner, step);
    if (found !== undefined) return found;
  }
  return undefined;
}
