import { foldText, spellOut } from './fold-text.ts';
import { nationalForms, phoneDigitsOf, withoutPhoneWords } from './phone-digits.ts';

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

/** The most characters of a term. The rest of a longer word is not compared. */
export const longestTerm = 32;
const shortened = (term: string): string =>
  term.length <= longestTerm ? term : [...term].slice(0, longestTerm).join('');

const distinct = <T>(items: readonly T[]): T[] => [...new Set(items)];

/**
 * Returns the terms of a text, by which searches find its record: its words, words with hyphens or apostrophes also as one
 * word (`oneill` of `O'Neill`), email addresses and their domains, and the terms of `spelledTermsOf`.
 */
export const termsOf = (text: string): string[] => distinct([...plainTermsOf(text), ...spelledTermsOf(text)]);

/** Returns the terms of a text without the second spelling of its words. */
export const plainTermsOf = (text: string): string[] => termsOfFolded(foldText(text));

/** Returns the terms of a text if two letters replace letters such as `ü`. Empty for a text without such letters. */
export function spelledTermsOf(text: string): string[] {
  const other = spellOut(text);
  return other === undefined ? [] : termsOfFolded(other);
}

const termsOfFolded = (text: string): string[] =>
  distinct(
    text.split(/\s+/).flatMap((word) => {
      const [address, domain] = addressIn(word) ?? [];
      if (address !== undefined && domain !== undefined) return [address, domain].map(shortened);
      const parts = partsOf(word);
      return (parts.length > 1 ? [...parts, parts.join('')] : parts).map(shortened);
    }),
  );

/** Returns an email address and its domain. A search for the beginning of the address finds the address. */
function addressIn(word: string): [string, string] | undefined {
  const address = withoutPunctuationAround(word);
  const domain = /^[^@]+@([^@]+)$/.exec(address)?.[1];
  return domain === undefined ? undefined : [address, domain];
}

/** Begins the term of a telephone number whose digits are reversed. */
const reversedDigits = '~';

/** Returns the term of a telephone number with its digits reversed. A search for its last digits finds its beginning. */
const endingIn = (digits: string): string => reversedDigits + [...digits].reverse().join('');

/** The fewest digits by which a telephone number is found from its end. */
const fewestLastDigits = 4;

/**
 * The country codes with one or two digits. All others have three digits. Source: the ITU's list of the codes that
 * Recommendation E.164 assigns.
 */
const shortCountryCode = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** A number with more digits begins with a country code. */
const nationalDigits = 10;

function withoutCountryCode(digits: string): string {
  const national = digits.replace(shortCountryCode, '');
  return national === digits ? digits.slice(3) : national;
}

/**
 * Returns the terms of a telephone number: its digits without the country code, and all its digits in reverse order. A
 * search for the whole number finds the reverse digits, with or without the country code.
 */
export function phoneTermsOf(text: string): string[] {
  const { digits } = phoneDigitsOf(text);
  if (digits === '') return [];
  const national = digits.length > nationalDigits ? withoutCountryCode(digits) : digits;
  return [national, endingIn(digits)].map(shortened);
}

/**
 * Returns the words of a search. An empty list matches every record. `country` is the country of the account (ISO 3166-1),
 * in which the telephone numbers of its records are written without a country code.
 */
export function searchWordsOf(search: string, country = ''): SearchWord[] {
  const words = wordsOfFolded(foldText(search));
  const other = spellOut(search);
  const spelled = other === undefined ? words : wordsOfFolded(other);
  const isNumber = words.length > 1 && words.every((word) => number.test(word));
  const spaced = words.map((word, n) => {
    const second = spelled[n] ?? word;
    const alternatives = alternativesOf(word, country);
    return second === word ? alternatives : [...alternatives, ...alternativesOf(second, country)];
  });
  if (!isNumber) return spaced;
  const separate = spaced.flatMap(([alternative = []]) => alternative);
  return [[...numbersFrom(words.join(''), country), separate]];
}

const wordsOfFolded = (text: string): string[] =>
  withoutPhoneWords(text)
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));

function alternativesOf(word: string, country: string): SearchWord {
  const trimmed = withoutPunctuationAround(word);
  if (/.@./.test(trimmed)) return [[shortened(trimmed)]];
  const parts = partsOf(trimmed);
  const joined = parts.join('');
  const one = number.test(trimmed) ? numbersFrom(word, country) : [[shortened(joined)]];
  if (parts.length < 2) return one;
  // The domain of an email address is one term.
  const domain = trimmed.includes('.') ? [[shortened(trimmed)]] : [];
  return [...one, parts.map(shortened), ...domain];
}

/**
 * Returns the alternatives of a number. A number within a country begins with 0, and an international number with 00.
 * Stored numbers may omit these zeros and the country code.
 */
function numbersFrom(text: string, country: string): string[][] {
  const digits = text.replace(/\D/g, '');
  const plain = digits.replace(/^0+(?=\d{3})/, '');
  const { isInternational } = phoneDigitsOf(text);
  const national = isInternational ? nationalForms(plain, country) : [];
  const ends = [digits, plain].filter(({ length }) => length >= fewestLastDigits).map(endingIn);
  const withCode = plain.length > nationalDigits ? [endingIn(withoutCountryCode(plain))] : [];
  return distinct([digits, plain, ...ends, ...withCode, ...national]).map((text) => [shortened(text)]);
}

/** Reports whether each word of a search begins one of the terms. */
export const matchesTerms = (words: readonly SearchWord[], terms: readonly string[]): boolean =>
  words.every((alternatives) =>
    alternatives.some((texts) => texts.every((text) => terms.some((term) => term.startsWith(text)))),
  );
