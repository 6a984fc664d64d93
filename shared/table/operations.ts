import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { tableDefinition } from './definition.ts';
import { asSeconds, type Item } from './item.ts';
import type { Key } from './keys.ts';

type SdkOperation = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type WithoutTable<T> = T extends undefined ? never : Omit<T, 'TableName'>;

/** One DynamoDB operation of a transaction, without the name of the table. */
export type Operation =
  | { Put: WithoutTable<SdkOperation['Put']> }
  | { Update: WithoutTable<SdkOperation['Update']> }
  | { Delete: WithoutTable<SdkOperation['Delete']> }
  | { ConditionCheck: WithoutTable<SdkOperation['ConditionCheck']> };

/** One operation of a transaction, and what it means when its condition does not hold. */
export interface TransactItem {
  operation: Operation;
  /** `race`: somebody was faster, so read and decide again. A refusal: the condition is a rule, and this its answer. */
  otherwise: 'race' | ApiError;
  /** The version this write was decided on; an If-Match is held against it. */
  basedOn?: number;
}

/** A count of something in an account that goes up or down with the transaction. */
export interface CounterDelta {
  account: AccountId;
  of: string;
  amount: 1 | -1;
}

/** One part of a transaction. */
export type Write = TransactItem | CounterDelta;

export const isCounterDelta = (write: Write): write is CounterDelta => 'amount' in write;

/** 300 KB, below DynamoDB's 400 KB, so that a record and its table attributes always fit. */
const largestRecord = 300 * 1024;

function fitting(item: Item): Item {
  if (Buffer.byteLength(JSON.stringify(item)) > largestRecord) throw new ApiError('record_too_large');
  return item;
}

/** Puts an item that must not exist yet; a clash of minted ids is a race. */
export const putIfAbsent = (item: Item, otherwise: TransactItem['otherwise'] = 'race'): TransactItem => ({
  operation: { Put: { Item: fitting(item), ConditionExpression: 'attribute_not_exists(pk)' } },
  otherwise,
});

/**
 * Puts an item that must not exist yet, or only as one that has expired and was not removed so far. It is no record,
 * and so not held to a record's size.
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
  otherwise: 'race',
});

/** Puts an item over whatever is there. */
export const putItem = (item: Item): TransactItem => ({
  operation: { Put: { Item: fitting(item) } },
  otherwise: 'race',
});

const ifVersion = (version: number) => ({
  ConditionExpression: '#version = :version',
  ExpressionAttributeNames: { '#version': 'version' },
  ExpressionAttributeValues: { ':version': version },
});

/** Replaces a versioned item if it still has the version it was decided on. */
export const putIfVersion = (item: Item, version: number): TransactItem => ({
  operation: {
    Put: {
      Item: fitting(item),
      ...ifVersion(version),
    },
  },
  otherwise: 'race',
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
  otherwise: 'race',
});

/** Counts one more of something that an account may have `most` of; past that the answer is `quota_exceeded`. */
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

/** Sets a mark that must not be there yet, and goes when it is of no use any more. */
export const markNew = (key: Key, until: Date): TransactItem => ({
  operation: {
    Update: {
      Key: key,
      UpdateExpression: 'SET #expires = :until',
      ConditionExpression: 'attribute_not_exists(pk)',
      ExpressionAttributeNames: { '#expires': tableDefinition.ttl },
      ExpressionAttributeValues: { ':until': asSeconds(until) },
    },
  },
  otherwise: 'race',
});

/** Removes an item that leaves no trace, such as a session. */
export const deleteItem = (key: Key): TransactItem => ({
  operation: { Delete: { Key: key } },
  otherwise: 'race',
});

/** Removes a versioned item that needs no tombstone, if it still has the version it was decided on. */
export const deleteIfVersion = (key: Key, version: number): TransactItem => ({
  operation: {
    Delete: {
      Key: key,
      ...ifVersion(version),
    },
  },
  otherwise: 'race',
  basedOn: version,
});

/** Changes nothing, and holds only while a versioned item has the version it was decided on. */
export const checkAt = (key: Key, version: number): TransactItem => ({
  operation: { ConditionCheck: { Key: key, ...ifVersion(version) } },
  otherwise: 'race',
  basedOn: version,
});

/** Removes an item that must still be there; the refusal says what it means that it is not. */
export const deleteIfPresent = (key: Key, otherwise: ApiError): TransactItem => ({
  operation: { Delete: { Key: key, ConditionExpression: 'attribute_exists(pk)' } },
  otherwise,
});

/** Replaces one attribute of an item that must still have the value it is known by. */
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
