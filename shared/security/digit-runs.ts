import type { Span } from './spans.ts';

/** Digits in a text that only separators interrupt, such as the number of a card in groups of four. */
export interface DigitRun {
  /** The digits in ASCII, without separators. */
  digits: string;
  /** The place of each digit in the text. */
  at: readonly number[];
  /** The index in `digits` of the first digit of each group. */
  groups: readonly number[];
}

/** A date with a time, or two spaces with a hyphen, have at most this number of characters between two digits. */
const longestSeparator = 3;

/** The zeros of decimal digits outside ASCII: of other scripts, raised, lowered, in circles, and of double width. */
const zeros = [
  0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040,
  0x17e0, 0x1810, 0x2070, 0x2080, 0x245f, 0xff10,
];

/** The first UTF-16 code unit of mathematical digits, and the second one of the first of their five zeros. */
const [mathematical, mathematicalZero] = [0xd835, 0xdfce];

/** Returns the value of the digit at a place in a text, or -1 if the place has no digit. */
function digitAt(text: string, place: number): number {
  const code = text.charCodeAt(place);
  if (code < 0x80) return code >= 48 && code <= 57 ? code - 48 : -1;
  if (code === mathematical) {
    const second = text.charCodeAt(place + 1);
    return second >= mathematicalZero ? (second - mathematicalZero) % 10 : -1;
  }
  for (const zero of zeros) if (code >= zero && code <= zero + 9) return code - zero;
  return -1;
}

const endOfDigit = (text: string, place: number): number =>
  place + (text.charCodeAt(place) === mathematical ? 2 : 1);

/** Spaces, line breaks, dashes, dots, slashes and underscores, also those without a width. */
export const isSeparator = (code: number): boolean =>
  code < 0x80
    ? code === 32 || (code >= 9 && code <= 13) || (code >= 45 && code <= 47) || code === 95
    : code === 0xa0 ||
      code === 0xad ||
      code === 0xb7 ||
      (code >= 0x2000 && code <= 0x2015) ||
      code === 0x2022 ||
      (code >= 0x2024 && code <= 0x2029) ||
      code === 0x202f ||
      (code >= 0x205f && code <= 0x2060) ||
      code === 0x2212 ||
      code === 0x3000 ||
      code === 0xfe58 ||
      code === 0xfe63 ||
      code === 0xfeff ||
      code === 0xff0d ||
      code === 0xff0e;

/** Returns the runs of at least `fewest` digits in a text. The time is linear in the length of the text. */
export function digitRunsIn(text: string, fewest: number): DigitRun[] {
  const runs: DigitRun[] = [];
  let [digits, at, groups]: [string, number[], number[]] = ['', [], []];
  let last = 0;
  const end = () => {
    if (digits.length >= fewest) runs.push({ digits, at, groups });
    if (digits !== '') [digits, at, groups] = ['', [], []];
  };
  for (let place = 0; place < text.length; ) {
    const digit = digitAt(text, place);
    if (digit >= 0) {
      if (digits === '' || place > last) groups.push(digits.length);
      digits += digit;
      at.push(place);
      last = endOfDigit(text, place);
      place = last;
    } else {
      if (digits !== '' && (place - last >= longestSeparator || !isSeparator(text.charCodeAt(place)))) end();
      place++;
    }
  }
  end();
  return runs;
}

/** Returns the part of a text with the digits from the index `from` to the index before `to`. */
export const spanOfDigits = (text: string, { at }: DigitRun, from: number, to: number): Span => ({
  from: at[from] ?? 0,
  to: endOfDigit(text, at[to - 1] ?? 0),
});

/** A telephone number with a country code has at most 15 digits (E.164). */
const mostOfPhone = 15;

/** Reports whether a run is a telephone number in international form. */
export const isPhone = (text: string, { digits, at }: DigitRun): boolean =>
  digits.length <= mostOfPhone && text[(at[0] ?? 0) - 1] === '+';
