import { foldText } from './fold-text.ts';

/**
 * A word of a search. It matches a record if, for one of its alternatives, each text begins a term of the record. For
 * example, `smith-jones` has the alternatives `smithjones`, and `smith` with `jones`.
 */
export type SearchWord = readonly (readonly string[])[];

/** Letters of scripts that are written without spaces between words. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const lettersAndDigits = /[\p{L}\p{M}\p{N}]+/gu;
/** One number, which may be written with spaces: `+1 (415) 555-0134`. */
const number = /^\+?[\d().\-/]+$/;
/** The zero before an area code, which is not dialed from other countries: `+49 (0)30`. */
const zeroOfAreaCode = /\(0\)/g;

/** Created for the first text that needs it, because that takes about 20 ms of a cold start. */
let segmenter: Intl.Segmenter | undefined;

function segmentsOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  return [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
}

const withoutPunctuationAround = (text: string): string =>
  text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, '');

/** Returns the words within a text without spaces, such as `smith` and `jones` of `smith-jones`. */
const partsOf = (text: string): string[] =>
  (text.match(lettersAndDigits) ?? []).flatMap((part) => (unspaced.test(part) ? segmentsOf(part) : [part]));

const distinct = <T>(items: readonly T[]): T[] => [...new Set(items)];

/**
 * Returns the terms of a text, by which searches find its record: its words, words with hyphens or apostrophes also as one
 * word (`oneill` of `O'Neill`), and whole email addresses.
 */
export const termsOf = (text: string): string[] =>
  distinct(
    foldText(text)
      .split(/\s+/)
      .flatMap((word) => {
        const parts = partsOf(word);
        const email = word.includes('@') ? [withoutPunctuationAround(word)] : [];
        return parts.length > 1 ? [...parts, parts.join(''), ...email] : parts;
      }),
  );

/** The fewest digits of a telephone number without its area code. */
const localDigits = 7;

/**
 * Returns the terms of a telephone number: its digits with and without the first ones, which may be the codes of country
 * and area, and its last four digits.
 */
export function phoneTermsOf(text: string): string[] {
  const digits = foldText(text)
    .replace(/(?:x|ext)\D*\d+$/, '')
    .replace(zeroOfAreaCode, '')
    .replace(/\D/g, '');
  const shortest = Math.min(localDigits, digits.length);
  const ends = Array.from({ length: digits.length - shortest + 1 }, (_, start) => digits.slice(start));
  return distinct([...ends, digits.slice(-4)]).filter((term) => term !== '');
}

/** Returns the words of a search. An empty list matches every record. */
export function searchWordsOf(search: string): SearchWord[] {
  const words = foldText(search)
    .replace(zeroOfAreaCode, '')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const isNumber = words.length > 1 && words.every((word) => number.test(word));
  const spaced = words.map(alternativesOf);
  if (!isNumber) return spaced;
  const digits = words.join('').replace(/\D/g, '');
  const separate = spaced.flatMap(([alternative = []]) => alternative);
  return [[...numbersFrom(digits), separate]];
}

function alternativesOf(word: string): SearchWord {
  const trimmed = withoutPunctuationAround(word);
  if (/.@./.test(trimmed)) return [[trimmed]];
  const parts = partsOf(trimmed);
  const joined = parts.join('');
  const one = number.test(trimmed) ? numbersFrom(joined) : [[joined]];
  return parts.length > 1 ? [...one, parts] : one;
}

/** A number within a country begins with 0, and an international number with 00. Stored numbers may omit these zeros. */
const numbersFrom = (digits: string): string[][] => {
  const shortened = digits.replace(/^0+(?=\d{3})/, '');
  return shortened === digits ? [[digits]] : [[digits], [shortened]];
};

/** Reports whether each word of a search begins one of the terms. */
export const matchesTerms = (words: readonly SearchWord[], terms: readonly string[]): boolean =>
  words.every((alternatives) =>
    alternatives.some((texts) => texts.every((text) => terms.some((term) => term.startsWith(text)))),
  );
