import type { AccountId } from '../id/account-id.ts';

/**
 * The primary key of an item. Each resource has its keys in its own `keys.ts` or `store.ts`. All of them get their
 * partitions from this file: `tenantPartition` puts the account first, so that a store cannot reach a record without
 * naming its account. Lookups across accounts have `AcrossAccounts` in their names.
 */
export interface Key {
  pk: string;
  sk: string;
}

/**
 * A noun whose records are listed newest first, with an index partition and sharded totals. Its `store.ts` chooses it.
 * Tests check that no two stores share a noun and that no noun is the partition of other keys.
 */
export type ListedNoun = Uppercase<string>;

/** The id of a record: a minted number, or text without #. */
export type RecordId = number | string;

/** 16 digits hold any safe integer, so ids sort as text in the same order as numbers. */
export const digits = (id: number): string => String(id).padStart(16, '0');

/** An id inside a key. Throws for text with a #, which would name the partition of another record. */
export function idText(id: RecordId): string {
  if (typeof id === 'number') return digits(id);
  if (id === '' || id.includes('#')) throw new Error('The id of a record is empty or holds a #.');
  return id;
}

/** A partition of an account. */
export const tenantPartition = (account: AccountId, ...parts: string[]): string =>
  ['ACCOUNT', account, ...parts].join('#');

/** A partition that belongs to no account. */
export const partitionAcrossAccounts = (...parts: string[]): string => parts.join('#');

/** The account of a partition and the parts behind it; undefined for a partition across accounts. */
export function readTenantPartition(pk: string): { account: AccountId; parts: string[] } | undefined {
  const [word, account, ...parts] = pk.split('#');
  return word === 'ACCOUNT' && account ? { account: account as AccountId, parts } : undefined;
}

/** A record of a listed noun. Its audit entries share its partition, so that one query reads both. */
export const recordKey = (account: AccountId, noun: ListedNoun, id: RecordId): Key => ({
  pk: tenantPartition(account, noun, idText(id)),
  sk: 'RECORD',
});

/** The fields of a large record that lists show. */
export const summaryKey = (account: AccountId, noun: ListedNoun, id: RecordId): Key => ({
  pk: recordKey(account, noun, id).pk,
  sk: 'SUMMARY',
});

/** Sorts before RECORD, so that a backward query returns the record first and then its newest entries. */
export const auditKey = (account: AccountId, noun: ListedNoun, id: RecordId, eventId: number): Key => ({
  pk: recordKey(account, noun, id).pk,
  sk: `AUDIT#${digits(eventId)}`,
});

/** The sort keys of all audit entries in a record's partition. */
export const auditRange = { from: 'AUDIT#', to: 'AUDIT#~' } as const;

/** The sort keys of a record and all its audit entries, without the other items of its partition. */
export const recordAndAuditRange = { from: 'AUDIT#', to: 'RECORD' } as const;

/** The number of children of a record: an attribute for each kind. It exists as long as the record. */
export const childTotalsKey = (account: AccountId, parent: ListedNoun, parentId: RecordId): Key => ({
  pk: recordKey(account, parent, parentId).pk,
  sk: 'TOTALS',
});

/** The name of a kind of children in keys. */
export type ChildKind = Uppercase<string>;

/** Names the children of one kind that a record has. */
interface Parenthood {
  account: AccountId;
  parent: ListedNoun;
  parentId: RecordId;
  kind: ChildKind;
}

export const childPartition = ({ account, parent, parentId, kind }: Parenthood): string =>
  tenantPartition(account, parent, idText(parentId), kind);

export const childKey = (of: Parenthood, id: number): Key => ({ pk: childPartition(of), sk: digits(id) });

/**
 * The part of a noun's records that a list shows, if it does not show those of the whole account: a lookup's table and
 * field, a merchant. No element holds a #.
 */
export type Scope = readonly string[];

/** A place in a list: `order` is a minted number, so that the newest record is the last. */
export const listKey = (account: AccountId, noun: ListedNoun, order: number, scope: Scope = []) => ({
  listPk: listPartition(account, noun, scope),
  listSk: digits(order),
});

export const listPartition = (account: AccountId, noun: ListedNoun, scope: Scope = []): string =>
  tenantPartition(account, noun, ...scope.map(idText));

/** The indexes that hold a part of a noun's records, chosen by fields of the record. */
export type ViewName = 'state' | 'holder';

/** A place in a view: its partition is made of the parts, and it has the order of the list. No part holds a #. */
export const viewKey = (
  account: AccountId,
  noun: ListedNoun,
  view: ViewName,
  parts: Scope,
  order: number,
): Record<string, string> => ({
  [`${view}Pk`]: listPartition(account, noun, parts),
  [`${view}Sk`]: digits(order),
});

/** The number of items that totals are spread over: with one item, any two transactions would conflict. */
export const totalShards = 16;

/**
 * One shard of an account's totals: an attribute for each noun, and for each month of events. `within` names separate
 * totals, such as those of the records that one user holds.
 */
export const totalsKey = (account: AccountId, shard: number, within: Scope = []): Key => ({
  pk: totalsPartition(account, within),
  sk: String(shard).padStart(2, '0'),
});

export const totalsPartition = (account: AccountId, within: Scope = []): string =>
  tenantPartition(account, 'TOTALS', ...within.map(idText));

/** The number of records of a noun in an account, or in a scope. The condition on it enforces a quota. */
export const quotaKey = (account: AccountId, noun: ListedNoun, scope: Scope = []): Key => ({
  pk: tenantPartition(account, 'QUOTA'),
  sk: [noun, ...scope.map(idText)].join('#'),
});

/** Marks that a quota was reached in a minute and its event was emitted. */
export const quotaReachedKey = (account: AccountId, quota: string, minute: string): Key => ({
  pk: tenantPartition(account, 'QUOTA'),
  sk: `MET#${quota}#${minute}`,
});
