import type { AccountId } from '../id/account-id.ts';
import { type IndexedFields, searchTermsOf, valuesOf } from '../search/indexed-fields.ts';
import { type Item, isTombstone, recordOf } from './item.ts';
import { digits, type Key, type ListedNoun, type RecordId, searchPartition } from './keys.ts';
import type { Bounds } from './read.ts';

/**
 * An entry of a record in the search index. The index has an item for each entry:
 *
 * - For a word, the partition is `SEARCH#NOUN#first character`, and the sort key is `term weight position`.
 * - For a value of a filter, the partition is `SEARCH#NOUN#field#VALUE`, and the sort key is `value position`.
 * - For a time, the partition is `SEARCH#NOUN#field#TIME`, and the sort key is `time position`.
 *
 * The position sorts newer records first. The weight sorts names before texts. Terms and values are percent-encoded, so
 * that they contain no space or `#`. The entry itself does not contain the position.
 */
interface Entry {
  /** The last parts of the partition. */
  parts: readonly string[];
  /** The beginning of the sort key. */
  start: string;
}

const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

/** Returns the partition of the words that begin with the same character as the text. */
const wordParts = (text: string): string[] => [encoded([...text][0] ?? '')];
const valueParts = (field: string): string[] => [field, 'VALUE'];
const timeParts = (field: string): string[] => [field, 'TIME'];

/** Returns the entries of a record. */
function entriesOf<M>(fields: IndexedFields<M>, record: M): Entry[] {
  const words = [...searchTermsOf(fields, record)].map(([term, weight]) => ({
    parts: wordParts(term),
    start: `${encoded(term)} ${weight}`,
  }));
  const values = fields.values.flatMap((field) =>
    valuesOf(fields, record, field).map((value) => ({ parts: valueParts(field), start: encoded(value) })),
  );
  const times = Object.entries(fields.times ?? {}).flatMap(([field, timeOf]) => {
    const time = timeOf(record);
    return time === undefined ? [] : [{ parts: timeParts(field), start: time }];
  });
  return [...words, ...values, ...times];
}

/** Returns the names of the entries of a record, from the item that lists read. `readEntry` parses a name. */
export function entryNames<M>(fields: IndexedFields<M>, listed: Item | undefined): ReadonlySet<string> {
  if (!listed || isTombstone(listed)) return new Set();
  return new Set(
    entriesOf(fields, recordOf<M>(listed)).map(({ parts, start }) => [...parts, start].join('#')),
  );
}

export function readEntry(name: string): Entry {
  const parts = name.split('#');
  return { parts: parts.slice(0, -1), start: parts.at(-1) ?? '' };
}

/** Sorts newer records first. */
const descending = (order: number): string => digits(Number.MAX_SAFE_INTEGER - order);

/** The record that an item of the index finds. `order` is the number by which lists sort the record. */
interface Indexed {
  account: AccountId;
  noun: ListedNoun;
  id: RecordId;
  order: number;
}

export const indexItemKey = ({ account, noun, order }: Indexed, { parts, start }: Entry): Key => ({
  pk: searchPartition(account, noun, parts),
  sk: `${start} ${descending(order)}`,
});

export const indexItem = (indexed: Indexed, entry: Entry): Item => ({
  ...indexItemKey(indexed, entry),
  type: 'search-index',
  id: indexed.id,
});

/** Returns the list position of the record that an item of the index finds, as in `listSk`. */
export const listPositionOf = ({ sk }: Key): string =>
  digits(Number.MAX_SAFE_INTEGER - Number(sk.slice(sk.lastIndexOf(' ') + 1)));

/** Returns the name of the entry of an index item. */
export function entryNameOf({ pk, sk }: Key): string {
  const [, , , , ...parts] = pk.split('#');
  return [...parts, sk.slice(0, sk.lastIndexOf(' '))].join('#');
}

/** A range of one partition of the index. */
export interface IndexRange {
  partition: string;
  sortKey: { from: string; to: string };
}

/** All words that begin with the text. */
export const wordsFrom = (account: AccountId, noun: ListedNoun, text: string): IndexRange => ({
  partition: searchPartition(account, noun, wordParts(text)),
  sortKey: { from: encoded(text), to: `${encoded(text)}~` },
});

/** The whole word. */
export const wholeWord = (account: AccountId, noun: ListedNoun, text: string): IndexRange => ({
  partition: searchPartition(account, noun, wordParts(text)),
  sortKey: { from: `${encoded(text)} `, to: `${encoded(text)} ~` },
});

/** A part of a list: the records before a list position, and those at or after another one. */
export type Positions = Pick<Bounds, 'before' | 'from'>;

/** The records with this value between two list positions, newest first. */
export function recordsWith(
  account: AccountId,
  noun: ListedNoun,
  { field, value, before, from }: { field: string; value: string } & Positions,
): IndexRange {
  const [first, last] = [before ? descending(Number(before) - 1) : '', from ? descending(Number(from)) : '~'];
  return {
    partition: searchPartition(account, noun, valueParts(field)),
    sortKey: { from: `${encoded(value)} ${first}`, to: `${encoded(value)} ${last}` },
  };
}

/** The records whose time is before an instant, earliest first. With `after`, only those after this place. */
export const recordsBefore = (
  account: AccountId,
  noun: ListedNoun,
  { field, before, after }: { field: string; before: string; after?: string },
): IndexRange => ({
  partition: searchPartition(account, noun, timeParts(field)),
  sortKey: { from: after ? `${after.replace('#', ' ')}!` : ' ', to: before },
});

/** Returns the place of a time's item: its sort key, with characters that a cursor may contain. */
export const placeOf = ({ sk }: Key): string => sk.replace(' ', '#');

/** Returns the term and the weight of a word's item. */
export function wordOf({ sk }: Key): { term: string; weight: 0 | 1 } {
  const [term = '', weight] = sk.split(' ');
  return { term: decodeURIComponent(term), weight: weight === '1' ? 1 : 0 };
}
