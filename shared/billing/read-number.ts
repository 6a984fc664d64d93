/** Returns a number as it is on the invoice: `INV-000042` for 42. */
export const invoiceNumberOf = (count: number): string => `INV-${String(count).padStart(6, '0')}`;

/** One mention of an invoice in a text. */
export interface NumberMention {
  /** The numbers that it can mean. A bank may have broken a number, so that its end can be on either side of a space. */
  numbers: readonly string[];
  /** True if the number is written in full, as on the invoice. Case and separators may differ. */
  isExact: boolean;
}

/** The prefix, words such as `no.`, and the digits, which single separators may break. */
const mention =
  /(?<before>[\p{L}\p{N}]?)i ?n ?v(?:oices?)?[^\p{L}\p{N}|¦]{0,3}(?:(?:no|nr|num|number|numero)[^\p{L}\p{N}|¦]{0,3})?(?<digits>\d+(?:[ \n\-/._]\d+){0,14})(?<after>[\p{L}]?)/giu;
const wholeText =
  /^\W*(?:i ?n ?v(?:oices?)?)?[^\p{L}\p{N}]*(?:(?:no|nr|num|number|numero)[^\p{L}\p{N}]*)?(?<digits>\d+(?:[ \n\-/._]\d+){0,14})\W*$/iu;
const hasPrefix = /^\W*i ?n ?v/iu;

/** The digits of the shortest number, and the most digits of one. */
const [fewestDigits, mostDigits] = [6, 15];

/** Returns a text with one spelling of each character: no full-width forms, no invisible characters, only short dashes. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[\t\r ]+/g, ' ');

/**
 * Returns the numbers that digits can mean. The first group alone is one. If it is shorter than a number on an invoice,
 * the bank may have broken it: with the following groups, it then has as many digits as a number on an invoice.
 */
function numbersFrom(digits: string): string[] {
  const [first = '', ...rest] = digits.split(/\D/);
  const found = first.length <= mostDigits && Number(first) > 0 ? [invoiceNumberOf(Number(first))] : [];
  let joined = first;
  for (const group of first.length < fewestDigits ? rest : []) {
    joined += group;
    if (joined.length > mostDigits) break;
    const isWhole =
      joined.length === fewestDigits || (joined.length > fewestDigits && !joined.startsWith('0'));
    if (isWhole && Number(joined) > 0) found.push(invoiceNumberOf(Number(joined)));
  }
  return [...new Set(found)];
}

/** Returns the invoices that a text mentions, such as the purpose of a bank transfer. Each is returned once. */
export function mentionsIn(text: string): NumberMention[] {
  const found = new Map<string, NumberMention>();
  for (const { groups = {} } of plain(text).matchAll(mention)) {
    const { before = '', digits = '', after = '' } = groups;
    const numbers = numbersFrom(digits);
    const [first = ''] = digits.split(/\D/);
    const isExact =
      before === '' && after === '' && first.length >= fewestDigits && numbers[0] === `INV-${first}`;
    const key = numbers.join(' ');
    if (numbers.length > 0) found.set(key, { numbers, isExact: isExact || found.get(key)?.isExact === true });
  }
  return [...found.values()];
}

/**
 * Returns the numbers that a text can mean which is nothing but a number: `INV-42`, `inv 000042`, `INV–00 0042`. Empty for
 * other texts.
 */
export function numbersOf(text: string): string[] {
  const written = plain(text).trim();
  const digits = hasPrefix.test(written) ? wholeText.exec(written)?.groups?.digits : undefined;
  return digits === undefined ? [] : numbersFrom(digits);
}
