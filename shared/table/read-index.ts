import type { AccountId } from '../id/account-id.ts';
import {
  type IndexedFields,
  indexedValue,
  type Rank,
  rankOfTerm,
  termsOfValue,
} from '../search/indexed-fields.ts';
import type { SearchWord } from '../search/search-words.ts';
import { type IndexRange, listPositionOf, recordsWith, wholeWord, wordOf, wordsFrom } from './index-items.ts';
import { type Item, isTombstone, recordOf } from './item.ts';
import type { Key, ListedNoun, RecordId } from './keys.ts';
import { getItems, queryWithin } from './read.ts';

/** A filter. A record matches if its field has one of the values. Without values, the index cannot apply the filter. */
export interface FieldValues {
  field: string;
  values?: readonly unknown[];
}

/** The parts of a list request that the index can apply. */
export interface IndexQuery {
  words: readonly SearchWord[];
  filters: readonly FieldValues[];
}

/** A record that an index item names. The index may be older than the record. */
export interface IndexCandidate {
  id: RecordId;
  /** The position of the record in the list. */
  position: string;
  /** The sum of the ranks of its words. */
  rank: number;
}

/** The records that the index finds for a request. */
export interface Candidates {
  /** Newest first, if `isByPosition` is true. Otherwise in the order of the words that a search finds. */
  found: readonly IndexCandidate[];
  /** True if no other record matches. */
  isComplete: boolean;
  /** True if all newer records that match were found, too. */
  isByPosition: boolean;
  /** If not all records were found and `isByPosition` is true: the records before this position are found. */
  end?: string;
  /** Reports whether the index shows that a candidate matches all words and filters of the request. */
  isProven(candidate: IndexCandidate): boolean;
}

/** A record as lists show it, and its position in the list. */
export interface Listed<M> {
  record: M;
  position: string;
}

/** The search index of a record type, for one account. */
export interface RecordIndex<M> {
  /**
   * Reads the index in one round trip: about `limit` items. With `before`, filters find only records after it. Returns
   * undefined if the index cannot apply any part of the query.
   */
  read(query: IndexQuery, limits: { limit: number; before?: string }): Promise<Candidates | undefined>;
  /** Reads records as lists show them, in the order of `ids`. A missing or deleted record is undefined. */
  load(ids: readonly RecordId[]): Promise<(Listed<M> | undefined)[]>;
}

/** The most words and filters of one request that the index applies. The records are compared with the others. */
const mostConditions = 5;
/** The most values of a filter that the index applies. */
const mostValues = 20;

/** Reports whether the index can apply a part of the query. */
export const canApply = <M>(fields: IndexedFields<M>, { words, filters }: IndexQuery): boolean =>
  words.length > 0 || filters.some((filter) => howToApply(fields, filter) !== undefined);

/** Returns the values that the index finds, or a word of each value. Undefined if the index cannot apply the filter. */
function howToApply<M>(
  { names, texts, values: exact }: IndexedFields<M>,
  { field, values }: FieldValues,
): { values: readonly string[]; areWhole: boolean } | { words: readonly string[] } | undefined {
  if (!values || values.length > mostValues) return undefined;
  const isIn = (some: readonly string[]) => some.includes(field);
  if (isIn(exact)) {
    const indexed = values.map(indexedValue);
    return {
      values: distinct(indexed.map(({ text }) => text)),
      areWhole: indexed.every(({ isWhole }) => isWhole),
    };
  }
  if (!isIn(names) && !isIn(texts)) return undefined;
  const words = distinct(values.map((value) => longest(termsOfValue(value))));
  return words.includes('') ? undefined : { words };
}

/** Returns the index of the records of an account. */
export function recordIndex<M>(
  noun: ListedNoun,
  fields: IndexedFields<M>,
  account: AccountId,
  keyOf: (id: RecordId) => Key,
): RecordIndex<M> {
  return {
    async read({ words, filters }, { limit, before }) {
      const conditions = [
        ...filters.flatMap((filter) => filterCondition({ account, noun, fields, before }, filter) ?? []),
        ...words.map((word) => wordCondition(account, noun, word)),
      ];
      if (conditions.length === 0) return undefined;
      const read = conditions.slice(0, mostConditions);
      const isAll = read.length === filters.length + words.length;
      const ranges = Math.max(1, ...read.map((one) => one.ranges.length)) * read.length;
      const groups = await Promise.all(
        read.map((condition) => readGroup(condition, Math.ceil(limit / ranges))),
      );
      return intersect(groups, isAll);
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
  /** Each range is sorted by position. */
  isByPosition: boolean;
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
    before,
  }: { account: AccountId; noun: ListedNoun; fields: IndexedFields<M>; before?: string },
  filter: FieldValues,
): Condition | undefined {
  const applied = howToApply(fields, filter);
  if (!applied) return undefined;
  const { field } = filter;
  const ranges =
    'values' in applied
      ? applied.values.map((value) => recordsWith(account, noun, { field, value, before }))
      : applied.words.map((word) => wholeWord(account, noun, word));
  const isByPosition = 'values' in applied;
  return {
    ranges,
    isByPosition,
    isExact: isByPosition && applied.areWhole,
    rankOf: () => 0,
    worstRank: 0,
  };
}

function wordCondition(account: AccountId, noun: ListedNoun, word: SearchWord): Condition {
  const starts = withoutLonger(word.map(longest));
  return {
    ranges: starts.map((text) => wordsFrom(account, noun, text)),
    isByPosition: false,
    isExact: word.every((texts) => texts.length === 1),
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
  isByPosition: boolean;
  isExact: boolean;
  worstRank: number;
  /** The oldest position up to which all records were read. Empty if all were read, or if they are not in this order. */
  readTo: string;
}

async function readGroup(condition: Condition, limit: number): Promise<Group> {
  const read = await Promise.all(
    condition.ranges.map(({ partition, sortKey }) =>
      queryWithin({ partition, sortKey, eventual: true }, { limit: limit + 1 }),
    ),
  );
  const parts = read.map(({ items }) => items.slice(0, limit));
  const isCut = (part: number) => (read[part]?.items.length ?? 0) > limit;
  const candidates = new Map<RecordId, IndexCandidate>();
  for (const item of parts.flat()) {
    const [id, rank] = [item.id as RecordId, condition.rankOf(item)];
    const known = candidates.get(id);
    if (!known || rank < known.rank) candidates.set(id, { id, position: listPositionOf(item), rank });
  }
  // The records after the newest end of a range are not all known.
  const ends = parts.flatMap((items, part) => {
    const last = items.at(-1);
    return isCut(part) && last ? [listPositionOf(last)] : [];
  });
  const readTo = ends.reduce((one, other) => (other > one ? other : one), '');
  const isComplete = ends.length === 0;
  if (isComplete || !condition.isByPosition) return { ...condition, candidates, isComplete, readTo: '' };
  const known = [...candidates].filter(([, { position }]) => position >= readTo);
  return { ...condition, candidates: new Map(known), isComplete, readTo };
}

/** Combines the candidates of all words and filters. `isAll` is false if the request has more conditions. */
function intersect(groups: readonly Group[], isAll: boolean): Candidates {
  const decides = (group: Group, { position }: IndexCandidate) =>
    group.isComplete || (group.isByPosition && position >= group.readTo);
  const [driver, ...others] = [...groups].sort(byUse);
  if (!driver) throw new Error('The index needs at least one condition.');
  const found = [...driver.candidates.values()]
    .filter((one) => others.every((group) => !decides(group, one) || group.candidates.has(one.id)))
    .map((one) => ({
      ...one,
      rank: sum(groups.map((group) => group.candidates.get(one.id)?.rank ?? group.worstRank)),
    }));
  const isByPosition = driver.isComplete || driver.isByPosition;
  return {
    found: isByPosition ? found.sort(newestFirst) : found,
    isComplete: driver.isComplete,
    isByPosition,
    ...(isByPosition && !driver.isComplete && { end: driver.readTo }),
    isProven: ({ id }) => isAll && groups.every((group) => group.isExact && group.candidates.has(id)),
  };
}

/** Complete groups come first, the smallest before the others, and then the groups that were read furthest. */
function byUse(one: Group, other: Group): number {
  if (one.isComplete !== other.isComplete) return one.isComplete ? -1 : 1;
  if (one.isComplete) return one.candidates.size - other.candidates.size;
  if (one.isByPosition !== other.isByPosition) return one.isByPosition ? -1 : 1;
  return one.readTo < other.readTo ? -1 : 1;
}

type Positioned = Pick<IndexCandidate, 'position'>;

/** Sorts records by their position in the list, newest first. */
export const newestFirst = (one: Positioned, other: Positioned): number =>
  one.position < other.position ? 1 : one.position > other.position ? -1 : 0;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, next) => total + next, 0);
