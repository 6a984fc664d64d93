import { type DigitRun, digitRunsIn, isPhone, isSeparator, spanOfDigits } from '../security/digit-runs.ts';
import type { Span } from '../security/spans.ts';

/** The lengths of the groups of Social Security numbers, and of employer identification numbers. */
const [socialSecurity, employer] = [[3, 2, 4] as const, [2, 7] as const];
const nine = 9;

/** In these numbers, a separator is at most this long, and is not a line break. */
const longestGap = 3;

/**
 * Returns the numbers of nine digits in a text: Social Security numbers, tax ids and routing numbers. The digits have no
 * separators, or those of these numbers. The time is linear in the length of the text.
 */
export const nineDigitsIn = (text: string): Span[] =>
  digitRunsIn(text, nine).flatMap((run) => nineDigitsInRun(text, run));

function nineDigitsInRun(text: string, run: DigitRun): Span[] {
  if (isPhone(text, run)) return [];
  const { digits, groups, at } = run;
  const startOf = (group: number): number => groups[group] ?? digits.length;
  const lengthOf = (group: number): number => startOf(group + 1) - startOf(group);
  /** The text before a group: since the previous group, or one character before the first group. */
  const gapBefore = (group: number): string => {
    const place = at[startOf(group)] ?? text.length;
    const isFirst = group === 0 || group >= groups.length;
    return text.slice(isFirst ? place - 1 : spanOfDigits(text, run, 0, startOf(group)).to, place);
  };
  const isSplit = (first: number, lengths: readonly number[], gap: RegExp): boolean =>
    lengths.every((length, index) => lengthOf(first + index) === length) &&
    lengths.every((_, index) => index === 0 || gap.test(gapBefore(first + index))) &&
    !endsNumber.test(gapBefore(first)) &&
    (first + lengths.length >= groups.length || !endsNumber.test(gapBefore(first + lengths.length)));

  const found: Span[] = [];
  for (let group = 0; group < groups.length; group++) {
    const isFound =
      lengthOf(group) === nine ||
      isSplit(group, socialSecurity, sameLineGap) ||
      isSplit(group, employer, dashGap);
    if (isFound) found.push(spanOfDigits(text, run, startOf(group), startOf(group) + nine));
  }
  return found;
}

const dashes = '\\-\\u00ad\\u2010-\\u2015\\u2212\\ufe58\\ufe63\\uff0d';
const sameLineGap = new RegExp(`^[^\\n\\r\\u2028\\u2029]{1,${longestGap}}$`);
const dashGap = new RegExp(`^[ \\u00a0\\u202f]?[${dashes}][ \\u00a0\\u202f]?$`);
/** A single dash joins the digits of a longer number, such as a telephone number. */
const endsNumber = new RegExp(`^[${dashes}]$`);

/** The countries of IBANs, with the number of characters (ISO 13616). */
const ibanLengths: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
    'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
    'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 ' +
    'PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

const grouped = /^[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,4})?$/;
const ibanStart = /(?<![\p{L}\p{N}_])[a-z]{2}[ -]?\d{2}/giu;
/** The characters of the longest IBAN, with a separator after each of them. */
const longestIban = 2 * 33;

/**
 * Returns the IBANs in a text: the length of the country, and valid check digits (ISO 7064). In upper case and in groups of
 * four, wrong check digits are accepted, because a person may have made a mistake. The time is linear.
 */
export function ibansIn(text: string): Span[] {
  return [...text.matchAll(ibanStart)].flatMap(({ index }): Span[] => {
    const { length, letters } = ibanAt(text, index);
    if (length === 0) return [];
    const span = { from: index, to: index + length };
    return hasIbanCheckDigits(letters) || grouped.test(text.slice(span.from, span.to)) ? [span] : [];
  });
}

/** Returns the IBAN with the length of its country that begins at a place, or an empty one. */
function ibanAt(text: string, index: number): { length: number; letters: string } {
  const wanted = ibanLengths.get(text.slice(index, index + 2).toUpperCase()) ?? 0;
  let letters = '';
  for (let place = index; place < index + longestIban && place < text.length; place++) {
    if (isLetterOrDigit(text.charCodeAt(place))) letters += text[place];
    else if (!isSeparator(text.charCodeAt(place)) || !isLetterOrDigit(text.charCodeAt(place + 1))) break;
    if (letters.length === wanted)
      return isLetterOrDigit(text.charCodeAt(place + 1))
        ? noIban
        : { length: place + 1 - index, letters: letters.toUpperCase() };
  }
  return noIban;
}
const noIban = { length: 0, letters: '' };

/** Reports whether a UTF-16 code unit is a letter or digit of ASCII. */
const isLetterOrDigit = (code: number): boolean =>
  (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122);

function hasIbanCheckDigits(letters: string): boolean {
  const moved = letters.slice(4) + letters.slice(0, 4);
  let rest = 0;
  for (const one of moved) {
    const value = Number.parseInt(one, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
