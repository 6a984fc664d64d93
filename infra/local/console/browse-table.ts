import { listedAccounts } from '../../../shared/accounts/directory.ts';
import { accountKey } from '../../../shared/accounts/keys.ts';
import { normalizeEmail } from '../../../shared/formats.ts';
import type { AccountId } from '../../../shared/id/account-id.ts';
import { accessPatterns } from '../../../shared/resources/derived.ts';
import type { Attributes } from '../../../shared/table/attributes.ts';
import { type IndexName, tableDefinition } from '../../../shared/table/definition.ts';
import { type Item, isExpired } from '../../../shared/table/item.ts';
import {
  digits,
  type Key,
  partitionAcrossAccounts,
  readTenantPartition,
  tenantPartition,
} from '../../../shared/table/keys.ts';
import { getItem, getItems, type Reading, readPage } from '../../../shared/table/read.ts';
import { recordFields } from '../../../shared/table/record-fields.ts';
import { readTotals } from '../../../shared/table/totals.ts';
import { type ShownItem, showItem } from './show-item.ts';

/** The accounts of the table with their names. */
export async function readAccounts(): Promise<{ account: AccountId; name: string }[]> {
  const accounts = await listedAccounts();
  const items = await getItems(accounts.map(accountKey));
  return accounts.map((account, n) => ({ account, name: String(items[n]?.name ?? account) }));
}

/** Returns the kinds of records in an account, with the number of records of each kind, from the account's totals. */
export async function readNouns(account: AccountId): Promise<{ noun: string; count: number }[]> {
  const totals = await readTotals(account);
  return [...totals]
    .filter(([noun]) => /^[A-Z]+$/.test(noun))
    .map(([noun, count]) => ({ noun, count }))
    .sort((one, other) => one.noun.localeCompare(other.noun));
}

export interface PartitionPage {
  index?: IndexName;
  partition: string;
  /** Only the items whose sort keys start with this text. */
  prefix?: string;
  newestFirst?: boolean;
  /** The `next` of the previous page. */
  after?: string;
}

/** An item in the list: its key, size and first attributes. */
type ListedItem = Pick<ShownItem, 'pk' | 'sk' | 'type' | 'size'> & { preview: string; expired: boolean };

const pageSize = 50;

export const isIndex = (text: string): text is IndexName =>
  tableDefinition.indexes.some(({ name }) => name === text);

/** Reads a page of a partition. Throws InvalidCursor. */
export async function readPartition({
  index,
  partition,
  prefix,
  newestFirst,
  after,
}: PartitionPage): Promise<{ items: ListedItem[]; next?: string }> {
  const reading: Reading = { partition, items: [], more: true, ...(after && { start: cursorIn(after) }) };
  const sortKey = prefix ? { from: prefix, to: `${prefix}\u{10ffff}` } : undefined;
  await readPage(reading, { index, newestFirst, sortKey }, pageSize);
  const { items, start } = reading;
  return {
    items: items.map(listed),
    ...(start && { next: Buffer.from(JSON.stringify(start)).toString('base64url') }),
  };
}

export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';
}

/** A cursor contains the key of the last item in DynamoDB's notation. All key attributes are strings. */
function cursorIn(text: string): Attributes {
  const key: unknown = parsedJson(Buffer.from(text, 'base64url').toString());
  if (typeof key !== 'object' || key === null) throw new InvalidCursor('The cursor is not valid.');
  return Object.fromEntries(
    Object.entries(key).map(([name, value]: [string, unknown]) => {
      if (typeof value !== 'object' || value === null || !('S' in value) || typeof value.S !== 'string')
        throw new InvalidCursor('The cursor is not valid.');
      return [name, { S: value.S }];
    }),
  );
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Attributes that most items have. The list does not show them. */
const unspecific: readonly string[] = ['type', tableDefinition.ttl, ...Object.keys(recordFields)];

function listed(item: Item): ListedItem {
  const { pk, sk, type, size, attributes } = showItem(item);
  const shown = attributes.flatMap(({ name, value }) =>
    !unspecific.includes(name) && ['string', 'number', 'boolean'].includes(typeof value)
      ? [`${name}: ${String(value).slice(0, 60)}`]
      : [],
  );
  return {
    pk,
    sk,
    ...(type !== undefined && { type }),
    size,
    preview: shown.slice(0, 5).join(' · '),
    expired: isExpired(item, new Date()),
  };
}

/** A link from an attribute to another item. */
interface KeyLink {
  /** For example `teamId` or `businessOwners.0.id`. */
  attribute: string;
  pk: string;
  sk: string;
}

/** A partition that contains items related to an item. */
interface PartitionLink {
  label: string;
  partition: string;
  index?: IndexName;
}

/** An item with links to related items and partitions. */
export interface ItemWithLinks extends ShownItem {
  links: KeyLink[];
  partitions: PartitionLink[];
}

/** Returns undefined if the item does not exist. */
export async function readItem(key: Key): Promise<ItemWithLinks | undefined> {
  const item = await getItem(key);
  if (!item) return undefined;
  const shown = showItem(item);
  return { ...shown, links: await linksFrom(shown), partitions: partitionsFrom(shown) };
}

const partitionsFrom = ({ pk, sk, type, attributes, indexes }: ShownItem): PartitionLink[] => [
  { label: 'all items of this partition', partition: pk },
  // The totals of a record have one attribute for each type of child records.
  ...(type === 'child-totals' || sk === 'TOTALS'
    ? attributes
        .filter(({ name }) => /^[A-Z]+$/.test(name))
        .map(({ name }) => ({ label: `${name.toLowerCase()} children`, partition: `${pk}#${name}` }))
    : []),
  ...indexes.map(({ index, pk: partition }) => ({
    label: `items with the same ${index} key`,
    partition,
    index,
  })),
];

/** The maximum number of values in an item for which the console looks up linked items. */
const mostValues = 40;

async function linksFrom({ pk, sk, attributes }: ShownItem): Promise<KeyLink[]> {
  const values = attributes.flatMap(({ name, value }) => valuesIn(name, value)).slice(0, mostValues);
  // An item in a shared partition contains the id of its account in an attribute.
  const accounts = await listedAccounts();
  const named = accounts.find((one) => values.some(({ value }) => value === one));
  const account = readTenantPartition(pk)?.account ?? named;
  const nouns = account ? (await readNouns(account)).map(({ noun }) => noun) : [];
  const candidates = values.flatMap(({ attribute, value }) =>
    [...new Map(keysFor(account, nouns, value).map((key) => [`${key.pk}\n${key.sk}`, key])).values()].map(
      (key) => ({
        attribute,
        ...key,
      }),
    ),
  );
  const items = await getItems(candidates);
  return candidates.filter((key, n) => items[n] && !(key.pk === pk && key.sk === sk));
}

/** Returns all numbers and strings in an attribute, at any depth, that may be ids. */
function valuesIn(attribute: string, value: unknown): { attribute: string; value: string | number }[] {
  if (typeof value === 'number') return value > 999 ? [{ attribute, value }] : [];
  if (typeof value === 'string') return /^[^\s#]{3,128}$/.test(value) ? [{ attribute, value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => valuesIn(`${attribute}.${name}`, one));
}

/**
 * Returns the keys of the items that a value may identify, according to the access patterns that read one item. In
 * some patterns, the value is part of the partition key, as in `LEAD#<value>`, and the sort key is fixed. In the other
 * patterns, the partition key is fixed, and the value is the sort key.
 */
function keysFor(account: AccountId | undefined, nouns: readonly string[], value: string | number): Key[] {
  const asText = typeof value === 'number' ? digits(value) : value;
  return accessPatterns.flatMap(({ index, partition, shared, sortKey }) => {
    const [first = '', second, ...more] = partition;
    const fixed = /^[A-Z]+$/.exec(sortKey)?.[0];
    if (index || more.length > 0 || (!shared && !account)) return [];
    const at = (...parts: [string, ...string[]]) =>
      shared || !account ? partitionAcrossAccounts(...parts) : tenantPartition(account, ...parts);
    if (second === undefined && sortKey.split(';')[0] === 'id') return [{ pk: at(first), sk: asText }];
    if (second === undefined || !isVariable(second) || !fixed || fixed === 'TOTALS') return [];
    const text = second === 'email' ? normalizeEmail(asText) : asText;
    return (first === 'NOUN' ? nouns : [first]).map((noun) => ({ pk: at(noun, text), sk: fixed }));
  });
}

/** Reports whether a part of an access pattern's partition is a variable. */
const isVariable = (part: string): boolean => !/^[A-Z]+$/.test(part);
