import type { ConditionCheck, Delete, Put, Update } from '@aws-sdk/client-dynamodb';
import { ApiError } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import type { Plain } from './attributes.ts';
import { tableDefinition } from './definition.ts';
import { asSeconds, type Item } from './item.ts';
import type { Key, RecordId, Scope } from './keys.ts';

type WithoutTable<T> = Omit<Plain<T>, 'TableName'>;

/** One DynamoDB operation of a transaction, without the name of the table. */
export type Operation =
  | { Put: WithoutTable<Put> }
  | { Update: WithoutTable<Update> }
  | { Delete: WithoutTable<Delete> }
  | { ConditionCheck: WithoutTable<ConditionCheck> };

/** What a write does to a record as the API knows it. */
export interface RecordChange {
  /** The subject of its events, such as `lead`. */
  type: string;
  id: RecordId;
  action: 'created' | 'updated' | 'deleted';
}

/** One operation of a transaction, and what it means when its condition does not hold. */
export interface TransactItem {
  operation: Operation;
  /**
   * What a condition that does not hold throws. `conflict`: another write came first, so the request reads and decides
   * again. An ApiError: the condition is a rule, and this is its error.
   */
  otherwise: 'conflict' | ApiError;
  /** What it throws instead where there is no item at all. The operation then returns what was there. */
  missing?: ApiError;
  /** The version that was read; If-Match is compared with it. */
  basedOn?: number;
  /** Left out: the write is about something that belongs to a record, such as an index row. */
  change?: RecordChange;
}

/** A count of something in an account that goes up or down with the transaction. */
export interface CounterDelta {
  account: AccountId;
  of: string;
  amount: number;
  /** Which totals it stands in. Left out: the account's. */
  within?: Scope;
}

/** One part of a transaction. */
export type Write = TransactItem | CounterDelta;

export const isCounterDelta = (write: Write): write is CounterDelta => 'amount' in write;

/** 300 KB, below DynamoDB's 400 KB, so that a record and its table attributes always fit. */
const largestRecord = 300 * 1024;

function checkSize(item: Item): Item {
  if (Buffer.byteLength(JSON.stringify(item)) > largestRecord) throw new ApiError('record_too_large');
  return item;
}

/** Puts an item that must not exist yet; a clash of minted ids is a conflict. */
export const putIfAbsent = (item: Item, otherwise: TransactItem['otherwise'] = 'conflict'): TransactItem => ({
  operation: { Put: { Item: checkSize(item), ConditionExpression: 'attribute_not_exists(pk)' } },
  otherwise,
});

/**
 * Puts an item that must not exist yet, or has expired and was not removed so far. The size limit of records does
 * not apply, because it is not one.
 */
export const putIfAbsentOrExpired = (item: Item, now: Date): TransactItem => ({
  operation: {
    Put: {
      Item: item,
      ConditionExpression: 'attribute_not_exists(pk) OR #expires <= :now',
      ExpressionAttributeNames: { '#expires': tableDefinition.ttl },
      ExpressionAttributeValues: { ':now': asSeconds(now) },
    },
  },
  otherwise: 'conflict',
});

/** Puts an item over whatever is there. */
export const putItem = (item: Item): TransactItem => ({
  operation: { Put: { Item: checkSize(item) } },
  otherwise: 'conflict',
});

const ifVersion = (version: number) => ({
  ConditionExpression: '#version = :version',
  ExpressionAttributeNames: { '#version': 'version' },
  ExpressionAttributeValues: { ':version': version },
});

/** Replaces a versioned item if it still has the version that was read. */
export const putIfVersion = (item: Item, version: number): TransactItem => ({
  operation: {
    Put: {
      Item: checkSize(item),
      ...ifVersion(version),
    },
  },
  otherwise: 'conflict',
  basedOn: version,
});

/** Adds to a counter, which need not exist yet. */
export const addToCounter = (key: Key, amount: number): TransactItem => ({
  operation: {
    Update: {
      Key: key,
      UpdateExpression: 'ADD #count :amount',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':amount': amount },
    },
  },
  otherwise: 'conflict',
});

/** Counts one more of something that an account may have `most` of; past that it throws `quota_exceeded`. */
export const addWithinQuota = (key: Key, most: number): TransactItem => ({
  operation: {
    Update: {
      Key: key,
      UpdateExpression: 'ADD #count :one',
      ConditionExpression: 'attribute_not_exists(#count) OR #count < :most',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':one': 1, ':most': most },
    },
  },
  otherwise: new ApiError('quota_exceeded'),
});

/** Removes a counter that has come down to nothing; throws `otherwise` while it counts anything. */
export const deleteCounterAtZero = (key: Key, otherwise: ApiError): TransactItem => ({
  operation: {
    Delete: {
      Key: key,
      ConditionExpression: 'attribute_not_exists(#count) OR #count = :none',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':none': 0 },
    },
  },
  otherwise,
});

/** The part of an update that adds to counts, by their names. */
export const additions = (amounts: readonly (readonly [name: string, amount: number])[]) => ({
  UpdateExpression: `ADD ${amounts.map((_, n) => `#n${n} :v${n}`).join(', ')}`,
  ExpressionAttributeNames: Object.fromEntries(amounts.map(([name], n) => [`#n${n}`, name])),
  ExpressionAttributeValues: Object.fromEntries(amounts.map(([, amount], n) => [`:v${n}`, amount])),
});

interface Limits {
  /** The most there may be of each name after an addition. */
  most: Readonly<Record<string, number>>;
  /** Thrown where an addition goes past one of them. */
  otherwise: ApiError;
  /** Thrown if the item does not exist. */
  missing: ApiError;
}

/**
 * Adds to several counts in one item, which must be there: where it is not, what the counts belong to is gone, and
 * the write throws `not_found`.
 */
export function addToCounts(
  key: Key,
  amounts: ReadonlyMap<string, number>,
  { most, otherwise, missing }: Limits,
): TransactItem {
  const added = [...amounts];
  const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = additions(added);
  const limited = added.flatMap(([name, amount], n) => {
    const limit = most[name];
    return amount > 0 && limit !== undefined ? [{ n, room: limit - amount }] : [];
  });
  return {
    operation: {
      Update: {
        Key: key,
        UpdateExpression,
        ConditionExpression: [
          'attribute_exists(pk)',
          ...limited.map(({ n }) => `(attribute_not_exists(#n${n}) OR #n${n} <= :most${n})`),
        ].join(' AND '),
        ExpressionAttributeNames,
        ExpressionAttributeValues: {
          ...ExpressionAttributeValues,
          ...Object.fromEntries(limited.map(({ n, room }) => [`:most${n}`, room])),
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    otherwise,
    missing,
  };
}

/** Puts a marker that must not exist yet and expires at `until`. */
export const putMarker = (key: Key, until: Date): TransactItem => ({
  operation: {
    Update: {
      Key: key,
      UpdateExpression: 'SET #expires = :until',
      ConditionExpression: 'attribute_not_exists(pk)',
      ExpressionAttributeNames: { '#expires': tableDefinition.ttl },
      ExpressionAttributeValues: { ':until': asSeconds(until) },
    },
  },
  otherwise: 'conflict',
});

/** Deletes an item that needs no tombstone, such as a session. */
export const deleteItem = (key: Key): TransactItem => ({
  operation: { Delete: { Key: key } },
  otherwise: 'conflict',
});

/** Deletes a versioned item that needs no tombstone, if it still has the version that was read. */
export const deleteIfVersion = (key: Key, version: number): TransactItem => ({
  operation: {
    Delete: {
      Key: key,
      ...ifVersion(version),
    },
  },
  otherwise: 'conflict',
  basedOn: version,
});

/** Deletes an item that names the home of somebody, if that still is this one. */
export const deleteIfAt = ({ pk, sk }: Key, home: AccountId): TransactItem => ({
  operation: {
    Delete: {
      Key: { pk, sk },
      ConditionExpression: '#home = :home',
      ExpressionAttributeNames: { '#home': 'home' },
      ExpressionAttributeValues: { ':home': home },
    },
  },
  otherwise: 'conflict',
});

/** Changes nothing, but fails the transaction unless a versioned item still has the version that was read. */
export const checkAt = (key: Key, version: number): TransactItem => ({
  operation: { ConditionCheck: { Key: key, ...ifVersion(version) } },
  otherwise: 'conflict',
  basedOn: version,
});

/** Changes nothing, but throws `otherwise` unless an item is there, whatever it holds. */
export const checkPresent = (key: Key, otherwise: ApiError): TransactItem => ({
  operation: { ConditionCheck: { Key: key, ConditionExpression: 'attribute_exists(pk)' } },
  otherwise,
});

/** Changes nothing, but fails the transaction with a conflict where an item is there. */
export const checkAbsent = (key: Key): TransactItem => ({
  operation: { ConditionCheck: { Key: key, ConditionExpression: 'attribute_not_exists(pk)' } },
  otherwise: 'conflict',
});

/** Deletes an item that must still exist; `otherwise` is the error where it does not. */
export const deleteIfPresent = (key: Key, otherwise: ApiError): TransactItem => ({
  operation: { Delete: { Key: key, ConditionExpression: 'attribute_exists(pk)' } },
  otherwise,
});

/** Puts an item in the place of one that has this value in an attribute. */
export const putIfEquals = (item: Item, attribute: string, from: unknown): TransactItem => ({
  operation: {
    Put: {
      Item: checkSize(item),
      ConditionExpression: '#attribute = :from',
      ExpressionAttributeNames: { '#attribute': attribute },
      ExpressionAttributeValues: { ':from': from },
    },
  },
  otherwise: 'conflict',
});

/** Replaces one attribute of an item if it still has the value `from`. */
export const setIfEquals = (
  key: Key,
  attribute: string,
  from: unknown,
  to: unknown,
  otherwise: TransactItem['otherwise'],
): TransactItem => ({
  operation: {
    Update: {
      Key: key,
      UpdateExpression: 'SET #attribute = :to',
      ConditionExpression: '#attribute = :from',
      ExpressionAttributeNames: { '#attribute': attribute },
      ExpressionAttributeValues: { ':from': from, ':to': to },
    },
  },
  otherwise,
});
