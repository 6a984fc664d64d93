import type { AccountId } from '../id/account-id.ts';
import { comparedForms } from '../search/fold-text.ts';
import { termsOfValue } from '../search/indexed-fields.ts';
import { matchesTerms, type SearchWord } from '../search/search-words.ts';
import type { ReachTerm } from '../security/reach.ts';
import type { FieldValues } from '../table/read-index.ts';
import type { CreatedPositions } from './created-range.ts';

export interface Page<R> {
  data: R[];
  totalCount: number;
  totalPages: number;
  currentPage: number;
  /** True if more records may match than `totalCount` says. */
  totalIsLowerBound?: boolean;
  /** The cursor of the next page; null on the last page. Present only if the request has a cursor. */
  nextCursor?: string | null;
}

/** A page. `window` is the number of records in the window; undefined if the page covers all records. */
export interface ListResult<R> {
  page: Page<R>;
  window?: number;
}

/** A view of a list: filters, order and page. */
export interface View<R> {
  page: number;
  pageSize: number;
  /** True if the table alone provides the view; see `readNewest`. */
  isPlain: boolean;
  /** True if the table must read the oldest records first. A request with a cursor has no such view. */
  oldestFirst?: boolean;
  /**
   * The position in the request's cursor. The page starts after this position. Empty for the first page;
   * undefined if the request has no cursor.
   */
  before?: string;
  /**
   * For a request with `updatedAfter`: the changes, if the event log can find them. A page with a cursor is then in the
   * order of the changes, and `before` is a position in the event log.
   */
  changes?: ChangesSince;
  /** The part of the list that contains the records created in the range of the request. */
  created: CreatedPositions;
  /** Records must meet all of these conditions. */
  conditions: ((record: R) => boolean)[];
  /** The sort fields, from the most to the least significant. */
  order: Order<R>[];
  /** The words of a search. */
  words: readonly SearchWord[];
  /** The filters of the request with their values. Each of them also has a condition. */
  filters: readonly FieldValues[];
  /** Present if the caller reaches only some of the records: the terms of which a record must meet one. */
  reach?: readonly ReachTerm[];
  /** The parts of the search index that do not contain all records yet. */
  unbuilt?: ReadonlySet<string>;
  /** True if the search index can apply the words or some of the filters. */
  isIndexed: boolean;
  /** True if the search index can read the whole list in the order of `order`; see `readRanked`. */
  isRanked?: boolean;
  /** Present if the event log can read the list in the order of the last changes; see `readLastChanged`. */
  lastChanged?: Omit<ChangesSince, 'since'>;
  /** Returns how well a record matches the words; see `searchRank`. */
  rankOf?: (record: R) => number | undefined;
}

/**
 * The changes of an account's records of one type after a time. They are found in the event log, which is sorted by time:
 * every change of a record in the search index has an event about this record or its child in the same transaction.
 */
export interface ChangesSince {
  account: AccountId;
  /** The type of the records, as in the subjects of events. */
  type: string;
  since: string;
}

interface Order<R> {
  field: keyof R & string;
  descending: boolean;
  /**
   * The field's values in sort order, such as `low` before `high`. If omitted, numbers are sorted by size, and
   * other values are sorted as text.
   */
  ranks?: readonly string[];
}

/** Reports whether a record meets all conditions of a request. */
export const meets =
  <R>({ conditions }: Pick<View<R>, 'conditions'>) =>
  (record: R): boolean =>
    conditions.every((holds) => holds(record));

/** Filters, sorts and counts records in memory, and returns one page. */
export function applyView<R>(
  records: readonly R[],
  { page, pageSize, conditions, order }: Pick<View<R>, 'page' | 'pageSize' | 'conditions' | 'order'>,
): Page<R> {
  const matching = records.filter(meets({ conditions }));
  const sorted = order.length > 0 ? matching.sort(comparing(order)) : matching;
  return pageOf(sorted.slice((page - 1) * pageSize, page * pageSize), matching.length, page, pageSize);
}

export const pageOf = <R>(data: R[], totalCount: number, page: number, pageSize: number): Page<R> => ({
  data,
  totalCount,
  totalPages: Math.ceil(totalCount / pageSize),
  currentPage: page,
});

/**
 * Matches records whose field has any of the values. Texts are compared without case, accents and surrounding spaces, and
 * `ü` equals both `u` and `ue`. For
 * an array field, one matching element is enough.
 */
export const isAnyOf = <R>(field: keyof R, values: readonly unknown[]) => {
  const wanted = new Set(values.flatMap(compared));
  return (record: R): boolean =>
    [record[field]].flat().some((value) => compared(value).some((form) => wanted.has(form)));
};

const compared = (value: unknown): unknown[] => (typeof value === 'string' ? comparedForms(value) : [value]);

/** Matches records in which every word of a search begins a word of any of the fields. */
export const mentions =
  <R>(fields: readonly (keyof R)[], words: readonly SearchWord[]) =>
  (record: R): boolean =>
    matchesTerms(
      words,
      fields.flatMap((field) => [record[field]].flat().flatMap((value) => termsOfValue(value))),
    );

/** Matches records that changed after an instant. Lists of records without `updatedAt` do not accept this filter. */
export const changedAfter =
  (instant: string) =>
  (record: unknown): boolean =>
    String((record as { updatedAt?: string }).updatedAt) > instant;

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

function comparing<R>(order: View<R>['order']) {
  return (one: R, other: R): number => {
    for (const { field, descending, ranks } of order) {
      const difference = compare(rankOf(one[field], ranks), rankOf(other[field], ranks), descending ? -1 : 1);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}

const rankOf = (value: unknown, ranks: readonly string[] | undefined): unknown =>
  ranks && typeof value === 'string' ? ranks.indexOf(value) : value;

/** Compares numbers by size and other values as text. Missing values sort last in both directions. */
function compare(one: unknown, other: unknown, direction: 1 | -1): number {
  if (one === other) return 0;
  if (one === undefined || one === null) return 1;
  if (other === undefined || other === null) return -1;
  if (typeof one === 'number' && typeof other === 'number') return (one - other) * direction;
  return collator.compare(String(one), String(other)) * direction;
}
