import { phoneIn } from '../formats.ts';
import { comparedForms } from './fold-text.ts';
import { phoneAmongWords } from './phone-digits.ts';
import {
  longestTerm,
  phoneTermsOf,
  plainTermsOf,
  type SearchWord,
  spelledTermsOf,
  termsOf,
} from './search-words.ts';

/** The fields by which the search index finds the records of a type. `M` is a record as lists read it. */
export interface IndexedFields<M> {
  /** The declared name of the resource, if the search index contains the records. */
  resource?: string;
  /** Names, numbers and short texts. */
  names: readonly (keyof M & string)[];
  /** Other texts. Searches rank them after names, and find only the numbers and longest words of a long text. */
  texts: readonly (keyof M & string)[];
  /** The fields whose equality filters the index applies. */
  values: readonly (keyof M & string)[];
  /** A field that every record has, with its possible values. Ranges of the time of creation find records by it. */
  always?: { field: keyof M & string; values: readonly unknown[] };
  /**
   * The times by which filters find records before an instant. Each function returns a stored instant; undefined if no
   * such filter should find the record.
   */
  times?: { readonly [field: string]: (record: M) => string | undefined };
  /** Returns the words of a search, if they are more than those of its text. */
  wordsOf?: (search: string) => SearchWord[];
  /** The values by which filters find records without the field, such as `none` for `assignedTo`. */
  absent?: { readonly [F in keyof M & string]?: string };
}

/** How well a word matches: 0 for the whole word of a name, 1 for the whole word of a text, 2 and 3 for beginnings. */
export type Rank = 0 | 1 | 2 | 3;

/** The terms of a record by their weight: 0 for names, 1 for texts. */
type WeightedTerms = ReadonlyMap<string, 0 | 1>;

/** The most terms of one record. */
const mostTerms = 100;
/** The most terms that the texts of one record add. Each term is an index item, which costs a write unit. */
const mostTextTerms = 8;

/** The most characters of a text with a telephone number and other words. */
const longestPhone = 64;

/** Returns the terms of a field's value. Only texts can be telephone numbers: a number is an id. */
export function termsOfValue(value: unknown, termsOfText = termsOf): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'number') return [String(value)];
  const text = String(value);
  if (phoneIn(text)) return phoneTermsOf(text);
  const phone = text.length <= longestPhone ? phoneAmongWords(text) : undefined;
  const terms = termsOfText(text);
  return phone === undefined ? terms : [...new Set([...terms, ...phoneTermsOf(phone)])];
}

/** Returns the terms of fields, and those of the second spellings of their words. */
function termsIn<M>(record: M, fields: readonly (keyof M)[]): { plain: string[]; spelled: string[] } {
  const values: unknown[] = fields.flatMap((field) => [record[field]].flat());
  return {
    plain: distinct(values.flatMap((value) => termsOfValue(value, plainTermsOf))),
    spelled: values.flatMap((value) => (typeof value === 'string' ? spelledTermsOf(value) : [])),
  };
}

const distinct = (terms: readonly string[]): string[] => [...new Set(terms)];

/**
 * Returns the terms by which searches find a record. Second spellings come last, so that no limit omits another word
 * because of them.
 */
export function searchTermsOf<M>({ names, texts, values }: IndexedFields<M>, record: M): WeightedTerms {
  const inNames = termsIn(record, names);
  const ofNames = distinct([...inNames.plain, ...inNames.spelled]).slice(
    0,
    mostTerms - values.length - mostTextTerms,
  );
  const known = new Set(ofNames);
  const inTexts = termsIn(record, texts);
  const ofTexts = distinct([...rarest(inTexts.plain.filter((term) => !known.has(term))), ...inTexts.spelled])
    .filter((term) => !known.has(term))
    .slice(0, mostTextTerms);
  return new Map([
    ...ofNames.map((term) => [term, 0] as const),
    ...ofTexts.map((term) => [term, 1] as const),
  ]);
}

/**
 * Returns the terms that probably occur in the fewest records: numbers, and then the longest words. In every language,
 * frequent words are short.
 */
const rarest = (terms: readonly string[]): readonly string[] =>
  terms.length <= mostTextTerms
    ? terms
    : terms.toSorted((one, other) => rarity(other) - rarity(one)).slice(0, mostTextTerms);

/** A term with a digit comes before each word: no term has more characters than `longestTerm`. */
const rarity = (term: string): number => term.length + (/\d/.test(term) ? longestTerm : 0);

/** The most characters of a value in the index. Records with the same first characters are compared with the request. */
const longestValue = 64;

/** Returns the forms of a filter's value in the index. */
export const indexedValues = (value: unknown): { text: string; isWhole: boolean }[] =>
  (typeof value === 'string' ? comparedForms(value) : [String(value)]).map(cutValue);

function cutValue(text: string): { text: string; isWhole: boolean } {
  if (text.length <= longestValue) return { text, isWhole: true };
  return { text: [...text].slice(0, longestValue).join(''), isWhole: false };
}

/** Returns the values of an indexed field. A list has a value for each element. */
export function valuesOf<M>({ absent }: IndexedFields<M>, record: M, field: keyof M & string): string[] {
  const found = [record[field]].flat().filter((value) => value !== undefined && value !== null);
  const values = found.length > 0 ? found : [absent?.[field]].filter((value) => value !== undefined);
  return [...new Set(values.flatMap((value) => indexedValues(value).map(({ text }) => text)))];
}

/**
 * Returns how well a record matches a search: the sum of the ranks of its words. Undefined if a word matches none of the
 * terms.
 */
export function searchRank(words: readonly SearchWord[], terms: WeightedTerms): number | undefined {
  let sum = 0;
  for (const word of words) {
    const ranks = word.map((texts) => rankOfTexts(texts, terms));
    const best = Math.min(...ranks.map((rank) => rank ?? Number.POSITIVE_INFINITY));
    if (best === Number.POSITIVE_INFINITY) return undefined;
    sum += best;
  }
  return sum;
}

/** Returns the rank of the text that matches worst; undefined if one of the texts matches no term. */
function rankOfTexts(texts: readonly string[], terms: WeightedTerms): Rank | undefined {
  let worst: Rank = 0;
  for (const text of texts) {
    let best: Rank | undefined;
    for (const [term, weight] of terms) {
      if (!term.startsWith(text)) continue;
      const rank = rankOfTerm(term, weight, text);
      if (best === undefined || rank < best) best = rank;
    }
    if (best === undefined) return undefined;
    if (best > worst) worst = best;
  }
  return worst;
}

/** Returns the rank of a term that begins with the text. */
export const rankOfTerm = (term: string, weight: 0 | 1, text: string): Rank =>
  (weight + (term === text ? 0 : 2)) as Rank;
