import type { Span } from '../security/spans.ts';
import { isSensitiveLabel } from './sensitive-names.ts';

/**
 * The end of a label: a colon, an equals sign, the end of an XML tag, or a verb. An option of a command is a whole label, and
 * so is the option with a user name before a password.
 */
const labelEnd =
  /(?<![\w-])(?:-u|--user)[ =]["']?[^\s:"']{1,64}:|(?<![\w-])--[a-z][\w-]{1,30}(?=[ \t])|[:=>]|\b(?:is|was|ist)\b/gi;

/** A label has at most this number of characters. */
const longestLabel = 40;

/** Values that may contain spaces: they reach to the end of the line. */
const wholeLine = /(?:cookie|authorization|phrase|mnemonic|seed words)$/i;

/**
 * Returns the values after a sensitive label: `password: x`, `{"pwd":"x"}`, `<pin>1234</pin>`, `card_no=1`, `the token is x`.
 * The time is linear in the length of the text, because only a fixed number of characters before each label is read, and
 * every value is read once.
 */
export function labelledValuesIn(text: string): Span[] {
  const found: Span[] = [];
  labelEnd.lastIndex = 0;
  for (let match = labelEnd.exec(text); match; match = labelEnd.exec(text)) {
    const label = match[0].startsWith('-')
      ? optionIn(match[0])
      : labelBefore(text, match.index, match[0] === '>');
    if (label === undefined || !isSensitiveLabel(label)) continue;
    const span = valueAfter(text, labelEnd.lastIndex, match[0] === '>' ? undefined : label);
    if (span.to > span.from) found.push(span);
    labelEnd.lastIndex = Math.max(labelEnd.lastIndex, span.to);
  }
  return found;
}

const optionIn = (text: string): string => (text.endsWith(':') ? 'password' : text);

/** Returns the label that ends at a place, without quotation marks. A tag must be the beginning of an XML element. */
function labelBefore(text: string, end: number, isTag: boolean): string | undefined {
  const first = Math.max(0, end - longestLabel);
  if (isTag) {
    const [, tag, attributes = ''] = /<([\w:.-]+)(\s[^<>]*)?$/.exec(text.slice(first, end)) ?? [];
    return tag && (/\s(?:name|key)=["']([a-z][^"']*)["']/i.exec(attributes)?.[1] ?? tag);
  }
  let to = end;
  while (to > first && !isInLabel(text.charCodeAt(to - 1))) to--;
  let from = to;
  while (from > first && (isInLabel(text.charCodeAt(from - 1)) || ' _.-'.includes(text.charAt(from - 1))))
    from--;
  return text.slice(from, to);
}

/** Reports whether a UTF-16 code unit is a letter or digit. Outside ASCII, all other units are accepted, too. */
const isInLabel = (code: number): boolean =>
  (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122) || code > 0xa0;

const [lineText, wordText, tagText, beforeValue, escapesBefore] = [
  /[^\n\r]*/y,
  /\S*/y,
  /[^<]*/y,
  /[ \t\u00a0>=:]*/y,
  /\\*/y,
];
const endOf = (form: RegExp, text: string, from: number): number => {
  form.lastIndex = from;
  return form.test(text) ? form.lastIndex : from;
};

/** Returns the place of the value that begins at or after a place: a quoted text, a line, or a word. */
function valueAfter(text: string, place: number, label: string | undefined): Span {
  if (label === undefined) return { from: place, to: endOf(tagText, text, place) };
  const start = endOf(beforeValue, text, place);
  const from = endOf(escapesBefore, text, start);
  const quote = text.charAt(from);
  if (quote === '"' || quote === "'" || quote === '`')
    return { from: from + 1, to: closingQuote(text, from + 1, quote, from - start) };
  return { from, to: endOf(wholeLine.test(label) ? lineText : wordText, text, from) };
}

/** Returns the place of the quotation mark that ends a text, or the end of the text. An escaped mark does not end it. */
function closingQuote(text: string, from: number, quote: string, escapes: number): number {
  for (let place = text.indexOf(quote, from); place >= 0; place = text.indexOf(quote, place + 1)) {
    let before = 0;
    while (text[place - 1 - before] === '\\' && place - 1 - before >= from) before++;
    if (before <= escapes) return place - before;
  }
  return text.length;
}

/** Words for numbers that are sensitive even without a colon, as in `account 000123456`. */
const numberWord =
  /\b(?:account|acct|a\/c|konto\w{0,8}|routing|aba|card|ssn|sin|ein|itin|tin|pin|cvv2?|cvc2?|otp|iban|passport|licen[cs]e|dob|born|birth(?:day|date)?)\b/gi;
/** The number after such a word: a number with separators, or the date of a birth. */
const numberNearby = /[^\d\n]{0,20}(\d(?:[\d ./–-]{1,18}\d))/y;
const digitsNeeded = 3;

/** Returns the numbers after words such as `account`. The time is linear in the length of the text. */
export function labelledNumbersIn(text: string): Span[] {
  return [...text.matchAll(numberWord)].flatMap(({ 0: word, index }): Span[] => {
    numberNearby.lastIndex = index + word.length;
    const number = numberNearby.exec(text)?.[1];
    if (number === undefined || number.length < digitsNeeded) return [];
    return [{ from: numberNearby.lastIndex - number.length, to: numberNearby.lastIndex }];
  });
}
