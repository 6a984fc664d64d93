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

/**
 * A use of a field by a list. If the search index contains the records, its parts follow from these uses:
 *
 * - `filter`: a parameter of the same name selects the records with one of its values. The index finds them by the value, or
 *   by a word of the value if searches find the field, too.
 * - `unindexed filter`: like `filter`, but the index does not contain the values, for example because they change with time.
 *   A request without other conditions reads a window of the list.
 * - `value`: the index contains the values, for a filter with its own declaration, or in addition to the words.
 * - `before`: the index contains the time, for a filter that finds the records before an instant.
 * - `search`: searches find the words. For names, numbers and short texts.
 * - `text`: searches rank the words after names, and find only the numbers and longest words of a long text.
 * - `sort`: `sort` accepts the field.
 *
 * A use that is added after the first deployment names its version of the index, as in `filter since 1`; see `search-index.ts`.
 */
type FieldUse = Use | `${IndexedUse} since ${number}`;

type IndexedUse = 'filter' | 'value' | 'before' | 'search' | 'text';
type Use = IndexedUse | 'unindexed filter' | 'sort';

/**
 * The uses of each field, in the order of the API reference. This is not part of the schema, because inputs and changes
 * share the schemas of fields, and bundles contain no schemas.
 */
export type FieldUses<F extends string = string> = { readonly [field in F]?: readonly FieldUse[] };

/** Returns the fields with one of these uses. */
export const fieldsWith = <F extends string>(fields: FieldUses<F>, ...wanted: Use[]): F[] => [
  ...new Set(usesIn(fields).flatMap(({ field, use }) => (wanted.includes(use) ? [field] : []))),
];

const usesIn = <F extends string>(fields: FieldUses<F>): { field: F; use: Use; since: number }[] =>
  Object.entries<readonly FieldUse[] | undefined>(fields).flatMap(([field, uses = []]) =>
    uses.map((one) => {
      const [use, since = 0] = one.split(' since ');
      // `Object.entries` and `split` return the names as texts.
      return { field: field as F, use: use as Use, since: Number(since) };
    }),
  );

/** The declaration of a list with a search index. `M` is a record as lists read it. */
interface Declared<M, F extends string> {
  /** The declared name of the resource, if the search index contains the records. */
  resource?: string;
  fields: FieldUses<F>;
  /** A field that every record has, with its possible values. Ranges of the time of creation find records by it. */
  always?: { field: keyof M & string; values: readonly unknown[] };
  /**
   * The times of fields with the use `before`. Each function returns a stored instant; undefined if no such filter should
   * find the record.
   */
  times?: { readonly [field: string]: (record: M) => string | undefined };
  /** Returns the words of a search, if they are more than those of its text. */
  wordsOf?: (search: string) => SearchWord[];
  /** The values by which filters find records without the field, such as `none` for `assignedTo`. */
  absent?: { readonly [F in keyof M & string]?: string };
}

/** The fields by which the search index finds the records of a type. `M` is a record as lists read it. */
export interface IndexedFields<M> extends Declared<M, string> {
  /** The fields with the use `search`, and those with the use `text`. */
  names: readonly (keyof M & string)[];
  texts: readonly (keyof M & string)[];
  /** The fields of which the index contains the values. */
  values: readonly (keyof M & string)[];
  /** The parts of the index that were added after its first deployment, with their versions. */
  since: Readonly<Record<string, number>>;
}

/**
 * Declares how a list and the search index use the fields of a record. `F` are the fields of lists, which include computed
 * fields that the index does not contain.
 */
export function indexedFields<M, F extends string = keyof M & string>(
  declared: Declared<M, F>,
): IndexedFields<M> {
  const { fields } = declared;
  const inIndex = (...uses: Use[]) => fieldsWith(fields, ...uses) as string[] as (keyof M & string)[];
  const [names, texts] = [inIndex('search'), inIndex('text')];
  const ownValues = inIndex('value');
  const hasValues = (field: keyof M & string) =>
    ownValues.includes(field) || ![...names, ...texts].includes(field);
  return {
    ...declared,
    names,
    texts,
    values: inIndex('value', 'filter').filter(hasValues),
    since: Object.fromEntries(
      usesIn(fields).flatMap(({ field, use, since }) => (since > 0 ? [[partOf(field, use), since]] : [])),
    ),
  };
}

/** Returns the name of a part of the index: `company` for words, `=company` for values, and `<lastContacted` for times. */
const partOf = (field: string, use: Use): string =>
  use === 'search' || use === 'text' ? field : use === 'before' ? timePart(field) : valuePart(field);

export const valuePart = (field: string): string => `=${field}`;
export const timePart = (field: string): string => `<${field}`;

/** Returns the parts that the index of an account does not contain for all records yet. */
export const unbuiltParts = (
  { since }: Pick<IndexedFields<never>, 'since'>,
  { indexedAdditions = 0 }: { indexedAdditions?: number },
): ReadonlySet<string> =>
  new Set(Object.entries(since).flatMap(([part, version]) => (version > indexedAdditions ? [part] : [])));

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
export function searchTermsOf<M>(
  { names, texts, values }: Pick<IndexedFields<M>, 'names' | 'texts' | 'values'>,
  record: M,
): WeightedTerms {
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
export function valuesOf<M>(
  { absent }: Pick<IndexedFields<M>, 'absent'>,
  record: M,
  field: keyof M & string,
): string[] {
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
