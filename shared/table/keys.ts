import type { AccountId } from '../id/account-id.ts';

/**
 * The primary key of an item. Each resource defines its keys in its own `keys.ts` or `store.ts`. `tenantPartition` puts
 * the account first, so that a store cannot read a record without its account id. Functions for partitions that all
 * accounts share have `AcrossAccounts` in their names.
 */
export interface Key {
  pk: string;
  sk: string;
}

/**
 * The name of a record type in keys, such as `LEAD`. Its records are listed newest first and counted in sharded totals.
 * Each store chooses its name. Tests check that names are unique, and that no other keys use them as a partition.
 */
export type ListedNoun = Uppercase<string>;

/** The id of a record: a number, or text without #. */
export type RecordId = number | string;

/** Pads an id to 16 digits, enough for every safe integer, so that ids sort as text in their numeric order. */
export const digits = (id: number): string => String(id).padStart(16, '0');

/** Converts an id to a part of a key. Throws for text with a #, which could address another partition. */
export function idText(id: RecordId): string {
  if (typeof id === 'number') return digits(id);
  if (id === '' || id.includes('#')) throw new Error('A record id must not be empty or contain #.');
  return id;
}

/** Returns the name of a partition that belongs to an account. */
export const tenantPartition = (account: AccountId, part: string, ...parts: string[]): string =>
  ['ACCOUNT', account, part, ...parts].join('#');

/**
 * Returns the name of the partition with the account's own record. It has its own prefix, because IAM's wildcard `*`
 * also matches `#`: a right to `ACCOUNT#*` would include the account's sessions, applications and data keys.
 */
export const accountRecordPartition = (account: AccountId): string => ['ACCOUNTRECORD', account].join('#');

/** Returns the name of a partition that belongs to no account. */
export const partitionAcrossAccounts = (...parts: string[]): string => parts.join('#');

/**
 * Parses a partition of an account; undefined for a partition that all accounts share. For the partition of the
 * account's own record, `parts` is empty.
 */
export function readTenantPartition(pk: string): { account: AccountId; parts: string[] } | undefined {
  const [word, account, ...parts] = pk.split('#');
  if (!account || (word !== 'ACCOUNT' && word !== 'ACCOUNTRECORD')) return undefined;
  return { account: account as AccountId, parts };
}

/** The key of a record. Audit entries are in the same partition, so that one query reads the record and its entries. */
export const recordKey = (account: AccountId, noun: ListedNoun, id: RecordId): Key => ({
  pk: tenantPartition(account, noun, idText(id)),
  sk: 'RECORD',
});

/** The key of a large record's summary, which lists show instead of the record. */
export const summaryKey = (account: AccountId, noun: ListedNoun, id: RecordId): Key => ({
  pk: recordKey(account, noun, id).pk,
  sk: 'SUMMARY',
});

/** Audit entries sort before RECORD, so that a descending query returns the record and then its newest entries. */
export const auditKey = (account: AccountId, noun: ListedNoun, id: RecordId, eventId: number): Key => ({
  pk: recordKey(account, noun, id).pk,
  sk: `AUDIT#${digits(eventId)}`,
});

/** The sort keys of all audit entries of a record. */
export const auditRange = { from: 'AUDIT#', to: 'AUDIT#~' } as const;

/** The sort keys of a record and its audit entries. */
export const recordAndAuditRange = { from: 'AUDIT#', to: 'RECORD' } as const;

/** The key of the names of a record's search index entries. The item is deleted after the record. */
export const searchEntriesKey = (account: AccountId, noun: ListedNoun, id: RecordId): Key => ({
  pk: recordKey(account, noun, id).pk,
  sk: 'SEARCHENTRIES',
});

/** Returns the name of a partition of the search index of a record type. */
export const searchPartition = (account: AccountId, noun: ListedNoun, parts: readonly string[]): string =>
  tenantPartition(account, 'SEARCH', noun, ...parts);

/** The key of the totals of a record's children. The item exists as long as the record exists. */
export const childTotalsKey = (account: AccountId, parent: ListedNoun, parentId: RecordId): Key => ({
  pk: recordKey(account, parent, parentId).pk,
  sk: 'TOTALS',
});

export type ChildKind = Uppercase<string>;

/** One kind of children of a record. */
interface Parenthood {
  account: AccountId;
  parent: ListedNoun;
  parentId: RecordId;
  kind: ChildKind;
}

export const childPartition = ({ account, parent, parentId, kind }: Parenthood): string =>
  tenantPartition(account, parent, idText(parentId), kind);

export const childKey = (of: Parenthood, id: number): Key => ({ pk: childPartition(of), sk: digits(id) });

/** The name of a group of records with its own list, such as a lookup's table and field. No part may contain a #. */
export type Scope = readonly string[];

/** The list keys of a record. `order` is a generated number that increases with time, so newer records sort last. */
export const listKey = (account: AccountId, noun: ListedNoun, order: number, scope: Scope = []) => ({
  listPk: listPartition(account, noun, scope),
  listSk: digits(order),
});

export const listPartition = (account: AccountId, noun: ListedNoun, scope: Scope = []): string =>
  tenantPartition(account, noun, ...scope.map(idText));

/** The indexes whose partitions depend on fields of the record. */
export type SecondaryIndexName = 'state' | 'holder';

/** The keys of a record in a secondary index. `parts` form the name of the partition and must not contain #. */
export const secondaryIndexKey = (
  account: AccountId,
  noun: ListedNoun,
  index: SecondaryIndexName,
  parts: Scope,
  order: number,
): Record<string, string> => ({
  [`${index}Pk`]: listPartition(account, noun, parts),
  [`${index}Sk`]: digits(order),
});

/** Each total is divided into this many items. With a single item, all concurrent transactions would conflict. */
export const totalShards = 16;

/**
 * The key of one shard of an account's totals. The item has one attribute for each record type, and one for each
 * month of the event log. `within` selects the totals of a scope.
 */
export const totalsKey = (account: AccountId, shard: number, within: Scope = []): Key => ({
  pk: totalsPartition(account, within),
  sk: String(shard).padStart(2, '0'),
});

export const totalsPartition = (account: AccountId, within: Scope = []): string =>
  tenantPartition(account, 'TOTALS', ...within.map(idText));

/** The key of the counter of records of a type, per account or scope. A condition on the counter enforces the quota. */
export const quotaKey = (account: AccountId, noun: ListedNoun, scope: Scope = []): Key => ({
  pk: tenantPartition(account, 'QUOTA'),
  sk: [noun, ...scope.map(idText)].join('#'),
});

/** The key of the marker that limits the event about a reached quota to one per minute. */
export const quotaReachedKey = (account: AccountId, quota: string, minute: string): Key => ({
  pk: tenantPartition(account, 'QUOTA'),
  sk: `MET#${quota}#${minute}`,
});
