/** Below this DynamoDB keeps no number but 0. */
const smallest = 1e-130;

/**
 * Whether a number stays what was sent: a double prints back as the same decimal, however that was spelled, an integer
 * lies within ±(2^53 − 1), and DynamoDB can hold it. `1.10`, `1e3` and `-0` stay; `0.1000000000000000055`, 2^53 + 1 and
 * `1e400` do not.
 */
export function isExact(decimal: string): boolean {
  const number = Number(decimal);
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) return false;
  if (number !== 0 && Math.abs(number) < smallest) return false;
  const printed = String(number);
  return decimal === printed || canonical(decimal) === canonical(printed);
}

/** One spelling for each decimal: its significant digits, and the power of ten they are multiplied by. */
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
 * Texts, which are passed over, and the numbers that a double may not keep: of 16 characters or more, or with an
 * exponent. 15 digits always stay. Linear: in valid JSON every text ends.
 */
const candidates =
  /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.-])-?(?:\d[\d.]{15,}(?:e[+-]?\d+)?|\d[\d.]{0,14}e[+-]?\d+)/gi;

/** A number in a text, and where it stands. */
interface NumberAt {
  text: string;
  index: number;
}

/** The first number in a JSON text, which must be valid, that would not stay what was sent. */
export function findInexactNumber(json: string): NumberAt | undefined {
  for (const { 0: text, index } of json.matchAll(candidates))
    if (!text.startsWith('"') && !isExact(text)) return { text, index };
  return undefined;
}

/** The path of the field that holds this number. Undefined where the body has the field twice, and the other counts. */
export function fieldOf(json: string, { text, index }: NumberAt): string | undefined {
  // Infinity is what no JSON can hold unless it spells a number beyond doubles, which would be at fault as well.
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
