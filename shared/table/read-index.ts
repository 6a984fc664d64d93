import type { AccountId } from '../id/account-id.ts';
import { spellingsOf } from '../search/fold-text.ts';
import {
  type IndexedFields,
  indexedValues,
  type Rank,
  rankOfTerm,
  termsOfValue,
  timePart,
  valuePart,
} from '../search/indexed-fields.ts';
import { plainTermsOf, type SearchWord } from '../search/search-words.ts';
import {
  type IndexRange,
  listPositionOf,
  type Positions,
  placeOf,
  recordsBefore,
  recordsWith,
  wholeWord,
  wordOf,
  wordsFrom,
} from './index-items.ts';
import { type Item, isTombstone, recordOf } from './item.ts';
import type { Key, ListedNoun, RecordId } from './keys.ts';
import { getItems, queryWithin } from './read.ts';

/**
 * A filter. A record matches if its field has one of the values, or if its time is before `before`. Without both, the
 * index cannot apply the filter.
 */
export interface FieldValues {
  field: string;
  values?: readonly unknown[];
  before?: string;
  /** A record matches if it meets one of these filters, each of which has values. */
  anyOf?: readonly FieldValues[];
}

/** The parts of a list request that the index can apply. */
export interface IndexQuery {
  words: readonly SearchWord[];
  filters: readonly FieldValues[];
  /** The parts of the index that do not contain all records of the account yet; see `searchIndex`. Default: none. */
  unbuilt?: ReadonlySet<string>;
}

/** A record that an index item names. The index may be older than the record. */
export interface IndexCandidate {
  id: RecordId;
  /** The position of the record in the list. */
  position: string;
  /** For candidates in the order of a time: the place among them. */
  place?: string;
  /** The sum of the ranks of its words. */
  rank: number;
}

/**
 * The order in which the index finds records: newest first, earliest time first, or in the order of the words that a
 * search finds.
 */
type IndexOrder = 'position' | 'time' | 'words';

/** The records that the index finds for a request. */
export interface Candidates {
  found: readonly IndexCandidate[];
  /** True if no other record matches. */
  isComplete: boolean;
  /** The order of `found`. */
  order: IndexOrder;
  /** If not all records were found: those before this position or place are found. Undefined for the order of words. */
  end?: string;
  /** Reports whether the index shows that a candidate matches all words and filters of the request. */
  isProven(candidate: IndexCandidate): boolean;
}

/** A record as lists show it, and its position in the list. */
interface Listed<M> {
  record: M;
  position: string;
}

/** The search index of a record type, for one account. */
export interface RecordIndex<M> {
  /**
   * Reads the index in one round trip: about `limit` items. Filters by values find only records between the positions.
   * With `after`, the candidates are in the order of the first time of the query, and after this place. Returns undefined
   * if the index cannot apply any part of the query.
   */
  read(query: IndexQuery, limits: IndexLimits): Promise<Candidates | undefined>;
  /** Reads records as lists show them, in the order of `ids`. A missing or deleted record is undefined. */
  load(ids: readonly RecordId[]): Promise<(Listed<M> | undefined)[]>;
}

interface IndexLimits extends Positions {
  limit: number;
  after?: string;
}

/** The most words and filters of one request that the index applies. The records are compared with the others. */
const mostConditions = 5;
/** The most values of a filter that the index applies. `anyOf` has no such limit. */
const mostValues = 20;
/** The fewest items to read of each value of `anyOf`. Otherwise, a page would be short if most records have one value. */
const fewestOfValue = 50;

/** Reports whether the index can apply a part of the query. */
export const canApply = <M>(fields: IndexedFields<M>, query: IndexQuery): boolean =>
  (query.words.length > 0 && canFindWords(fields, query)) ||
  query.filters.some((filter) => howToApply(fields, filter, query.unbuilt) !== undefined);

/** Reports whether the index contains the words of all fields that a search covers. */
const canFindWords = <M>(
  { names, texts }: Pick<IndexedFields<M>, 'names' | 'texts'>,
  { unbuilt }: Pick<IndexQuery, 'unbuilt'>,
): boolean => !unbuilt?.size || ![...names, ...texts].some((field) => unbuilt.has(field));

/** Reports whether the index alone shows which records match the query. */
export const canProve = <M>(fields: IndexedFields<M>, { words, filters, unbuilt }: IndexQuery): boolean =>
  words.length + filters.length <= mostConditions &&
  (words.length === 0 || canFindWords(fields, { unbuilt })) &&
  words.every(isExactWord) &&
  filters.every((filter) => isExact(howToApply(fields, filter, unbuilt)));

/** Returns the values or the time that the index finds, or a word of each value. Undefined if it cannot apply the filter. */
function howToApply<M>(
  fields: IndexedFields<M>,
  { field, values, before, anyOf }: FieldValues,
  unbuilt: ReadonlySet<string> = new Set(),
):
  | { values: readonly { field: string; value: string }[]; areWhole: boolean }
  | { words: readonly string[] }
  | { before: string }
  | undefined {
  const { names, texts, values: exact } = fields;
  if (before !== undefined) return unbuilt.has(timePart(field)) ? undefined : { before };
  if (anyOf) {
    const parts = anyOf.flatMap((one) => {
      const part = howToApply(fields, one, unbuilt);
      return part && 'values' in part ? [part] : [];
    });
    if (parts.length < anyOf.length) return undefined;
    return { values: parts.flatMap((one) => one.values), areWhole: parts.every(({ areWhole }) => areWhole) };
  }
  if (!values || values.length > mostValues) return undefined;
  const isIn = (some: readonly string[]) => some.includes(field);
  if (isIn(exact) && !unbuilt.has(valuePart(field))) {
    const indexed = values.flatMap(indexedValues);
    return {
      values: distinct(indexed.map(({ text }) => text)).map((value) => ({ field, value })),
      areWhole: indexed.every(({ isWhole }) => isWhole),
    };
  }
  if ((!isIn(names) && !isIn(texts)) || unbuilt.has(field)) return undefined;
  const words = distinct(
    values.flatMap((value) => formsOf(value).map((form) => longest(termsOfValue(form, plainTermsOf)))),
  );
  return words.includes('') ? undefined : { words };
}

/** Returns the spellings of a filter's value. Other values have one form. */
const formsOf = (value: unknown): unknown[] => {
  const forms = typeof value === 'string' ? spellingsOf(value) : [];
  return forms.length > 1 ? forms : [value];
};

/** Reports whether each record that the index finds for a filter matches it. */
const isExact = (applied: ReturnType<typeof howToApply>): boolean =>
  applied !== undefined && ('before' in applied || ('values' in applied && applied.areWhole));

/** Reports whether each record that the index finds for a word matches it. */
const isExactWord = (word: SearchWord): boolean => word.every((texts) => texts.length === 1);

/** Returns the index of the records of an account. */
export function recordIndex<M>(
  noun: ListedNoun,
  fields: IndexedFields<M>,
  account: AccountId,
  keyOf: (id: RecordId) => Key,
): RecordIndex<M> {
  return {
    async read({ words, filters, unbuilt }, { limit, after, ...positions }) {
      const inTimeOrder = filters.find(({ before }) => before !== undefined);
      const conditions = [
        ...filters.flatMap(
          (filter) =>
            filterCondition(
              {
                ...{ account, noun, fields, positions, unbuilt },
                after: filter === inTimeOrder ? after : undefined,
              },
              filter,
            ) ?? [],
        ),
        ...(canFindWords(fields, { unbuilt }) ? words : []).map((word) => wordCondition(account, noun, word)),
      ];
      if (conditions.length === 0) return undefined;
      const read = conditions.slice(0, mostConditions);
      const isAll = read.length === filters.length + words.length;
      const mostRanges = Math.max(1, ...read.map((one) => one.ranges.length));
      // The many ranges of `anyOf` must not leave only a few items for a word.
      const hasAnyOf = read.some(({ fewestOfRange }) => fewestOfRange !== undefined);
      const limitOf = ({ ranges, fewestOfRange = 0 }: Condition) => {
        const shares = read.length * (hasAnyOf ? Math.max(1, ranges.length) : mostRanges);
        return Math.max(Math.ceil(limit / shares), fewestOfRange);
      };
      const groups = await Promise.all(read.map((condition) => readGroup(condition, limitOf(condition))));
      return intersect(groups, isAll, after !== undefined);
    },
    async load(ids) {
      const items = await getItems(ids.map(keyOf));
      return items.map((item) =>
        item && !isTombstone(item) ? { record: recordOf<M>(item), position: String(item.listSk) } : undefined,
      );
    },
  };
}

/** A word or a filter: the ranges of the index that contain its records. */
interface Condition {
  ranges: readonly IndexRange[];
  /** The order of each range. */
  order: IndexOrder;
  /** The fewest items to read of each range. */
  fewestOfRange?: number;
  /** Every record of the ranges matches. */
  isExact: boolean;
  rankOf(item: Item): number;
  /** The rank of a record whose items were not read. */
  worstRank: number;
}

function filterCondition<M>(
  {
    account,
    noun,
    fields,
    positions,
    unbuilt,
    after,
  }: {
    account: AccountId;
    noun: ListedNoun;
    fields: IndexedFields<M>;
    positions: Positions;
    unbuilt?: ReadonlySet<string>;
    after?: string;
  },
  filter: FieldValues,
): Condition | undefined {
  const applied = howToApply(fields, filter, unbuilt);
  if (!applied) return undefined;
  const { field } = filter;
  const unranked = { rankOf: () => 0, worstRank: 0, isExact: isExact(applied) };
  if ('before' in applied) {
    const range = recordsBefore(account, noun, { field, before: applied.before, after });
    return { ...unranked, ranges: [range], order: 'time' };
  }
  if ('words' in applied) {
    const ranges = applied.words.map((word) => wholeWord(account, noun, word));
    return { ...unranked, ranges, order: 'words' };
  }
  const ranges = applied.values.map((one) => recordsWith(account, noun, { ...one, ...positions }));
  return { ...unranked, ranges, order: 'position', ...(filter.anyOf && { fewestOfRange: fewestOfValue }) };
}

function wordCondition(account: AccountId, noun: ListedNoun, word: SearchWord): Condition {
  const starts = withoutLonger(word.map(longest));
  return {
    ranges: starts.map((text) => wordsFrom(account, noun, text)),
    order: 'words',
    isExact: isExactWord(word),
    rankOf: (item) => Math.min(...starts.map((text) => rankOfItem(item, text))),
    worstRank: 3,
  };
}

const longest = (texts: readonly string[]): string =>
  texts.reduce((one, other) => (other.length > one.length ? other : one), '');

/** Removes texts that begin with another text, because their words are in the range of that text. */
const withoutLonger = (texts: readonly string[]): string[] => {
  const different = distinct(texts);
  return different.filter((text) => !different.some((other) => other !== text && text.startsWith(other)));
};

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];

function rankOfItem(item: Item, text: string): Rank {
  const { term, weight } = wordOf(item);
  return term.startsWith(text) ? rankOfTerm(term, weight, text) : 3;
}

/** The candidates of one word or filter. */
interface Group {
  candidates: ReadonlyMap<RecordId, IndexCandidate>;
  isComplete: boolean;
  order: IndexOrder;
  isExact: boolean;
  worstRank: number;
  /** The position or place up to which all records were read. Empty if all were read, and for words. */
  readTo: string;
}

async function readGroup(condition: Condition, limit: number): Promise<Group> {
  const read = await Promise.all(
    condition.ranges.map(({ partition, sortKey }) =>
      sortKey.from > sortKey.to
        ? { items: [] }
        : queryWithin({ partition, sortKey, eventual: true }, { limit: limit + 1 }),
    ),
  );
  const parts = read.map(({ items }) => items.slice(0, limit));
  const isCut = (part: number) => (read[part]?.items.length ?? 0) > limit;
  const candidates = new Map<RecordId, IndexCandidate>();
  for (const item of parts.flat()) {
    const [id, rank] = [item.id as RecordId, condition.rankOf(item)];
    const known = candidates.get(id);
    if (known && rank >= known.rank) continue;
    const place = condition.order === 'time' ? { place: placeOf(item) } : {};
    candidates.set(id, { id, position: listPositionOf(item), rank, ...place });
  }
  const ends = parts.flatMap((items, part) => {
    const last = items.at(-1);
    return isCut(part) && last ? [last] : [];
  });
  const [end] = ends;
  if (!end || condition.order === 'words') return { ...condition, candidates, isComplete: !end, readTo: '' };
  if (condition.order === 'time')
    return { ...condition, candidates, isComplete: false, readTo: placeOf(end) };
  // The records after the newest end of a range are not all known.
  const readTo = ends.map(listPositionOf).reduce((one, other) => (other > one ? other : one));
  const known = [...candidates].filter(([, { position }]) => position >= readTo);
  return { ...condition, candidates: new Map(known), isComplete: false, readTo };
}

/**
 * Combines the candidates of all words and filters. `isAll` is false if the request has more conditions. If
 * `isInTimeOrder`, the first time of the query determines the order.
 */
function intersect(groups: readonly Group[], isAll: boolean, isInTimeOrder: boolean): Candidates {
  const decides = (group: Group, { position }: IndexCandidate) =>
    group.isComplete || (group.order === 'position' && position >= group.readTo);
  const first = isInTimeOrder ? groups.find(({ order }) => order === 'time') : undefined;
  const driver = first ?? [...groups].sort(byUse)[0];
  if (!driver) throw new Error('The index needs at least one condition.');
  const others = groups.filter((group) => group !== driver);
  const found = [...driver.candidates.values()]
    .filter((one) => others.every((group) => !decides(group, one) || group.candidates.has(one.id)))
    .map((one) => ({
      ...one,
      rank: sum(groups.map((group) => group.candidates.get(one.id)?.rank ?? group.worstRank)),
    }));
  const order = driver.isComplete && !first ? 'position' : driver.order;
  return {
    found: order === 'position' ? found.sort(newestFirst) : found,
    isComplete: driver.isComplete,
    order,
    ...(order !== 'words' && !driver.isComplete && { end: driver.readTo }),
    isProven: ({ id }) => isAll && groups.every((group) => group.isExact && group.candidates.has(id)),
  };
}

const orders: readonly IndexOrder[] = ['time', 'position', 'words'];

/**
 * Complete groups come first, the smallest before the others. A time comes before values, because the records with the
 * earliest times are often none of the newest. Of groups of values, those that were read furthest come first.
 */
function byUse(one: Group, other: Group): number {
  if (one.isComplete !== other.isComplete) return one.isComplete ? -1 : 1;
  if (one.isComplete) return one.candidates.size - other.candidates.size;
  if (one.order !== other.order) return orders.indexOf(one.order) - orders.indexOf(other.order);
  if (one.order !== 'position' || one.readTo === other.readTo) return 0;
  return one.readTo < other.readTo ? -1 : 1;
}

type Positioned = Pick<IndexCandidate, 'position'>;

/** Sorts records by their position in the list, newest first. */
export const newestFirst = (one: Positioned, other: Positioned): number =>
  one.position < other.position ? 1 : one.position > other.position ? -1 : 0;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, next) => total + next, 0);
