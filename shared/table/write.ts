import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { AccountId } from '../accounts/account-id.ts';
import { Refusal } from '../http/errors.ts';
import { tableDefinition } from './definition.ts';
import { asSeconds, type Item } from './item.ts';
import type { Key } from './keys.ts';

type Operation = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type WithoutTable<T> = T extends undefined ? never : Omit<T, 'TableName'>;

/** One DynamoDB operation of a transaction, without the name of the table. */
export type Bare =
  | { Put: WithoutTable<Operation['Put']> }
  | { Update: WithoutTable<Operation['Update']> }
  | { Delete: WithoutTable<Operation['Delete']> }
  | { ConditionCheck: WithoutTable<Operation['ConditionCheck']> };

/** One operation of a transaction, and what it means when its condition does not hold. */
export interface Change {
  operation: Bare;
  /** `race`: somebody was faster, so read and decide again. A refusal: the condition is a rule, and this its answer. */
  otherwise: 'race' | Refusal;
  /** The version this write was decided on; an If-Match is held against it. */
  basedOn?: number;
}

/** A count of something in an account that goes up or down with the transaction. */
export interface Tally {
  account: AccountId;
  of: string;
  amount: 1 | -1;
}

/** One part of a transaction. */
export type Write = Change | Tally;

export const isTally = (write: Write): write is Tally => 'amount' in write;

/** 300 KB, below DynamoDB's 400 KB, so that a record and its table attributes always fit. */
const largestRecord = 300 * 1024;

function fitting(item: Item): Item {
  if (Buffer.byteLength(JSON.stringify(item)) > largestRecord) throw new Refusal('record_too_large');
  return item;
}

/** Puts an item that must not exist yet; a clash of minted ids is a race. */
export const putNew = (item: Item, otherwise: Change['otherwise'] = 'race'): Change => ({
  operation: { Put: { Item: fitting(item), ConditionExpression: 'attribute_not_exists(pk)' } },
  otherwise,
});

/**
 * Puts an item that must not exist yet, or only as one that has expired and was not removed so far. It is no record,
 * and so not held to a record's size.
 */
export const putNewOrExpired = (item: Item, now: Date): Change => ({
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
export const putAnyway = (item: Item): Change => ({
  operation: { Put: { Item: fitting(item) } },
  otherwise: 'race',
});

const ifVersion = (version: number) => ({
  ConditionExpression: '#version = :version',
  ExpressionAttributeNames: { '#version': 'version' },
  ExpressionAttributeValues: { ':version': version },
});

/** Replaces a versioned item if it still has the version it was decided on. */
export const putOver = (item: Item, version: number): Change => ({
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
export const addTo = (key: Key, amount: number): Change => ({
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
export const addWithin = (key: Key, most: number): Change => ({
  operation: {
    Update: {
      Key: key,
      UpdateExpression: 'ADD #count :one',
      ConditionExpression: 'attribute_not_exists(#count) OR #count < :most',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':one': 1, ':most': most },
    },
  },
  otherwise: new Refusal('quota_exceeded'),
});

/** Sets a mark that must not be there yet, and goes when it is of no use any more. */
export const markNew = (key: Key, until: Date): Change => ({
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
export const remove = (key: Key): Change => ({ operation: { Delete: { Key: key } }, otherwise: 'race' });

/** Removes a versioned item that needs no tombstone, if it still has the version it was decided on. */
export const removeAt = (key: Key, version: number): Change => ({
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
export const checkAt = (key: Key, version: number): Change => ({
  operation: { ConditionCheck: { Key: key, ...ifVersion(version) } },
  otherwise: 'race',
  basedOn: version,
});

/** Removes an item that must still be there; the refusal says what it means that it is not. */
export const removeOnce = (key: Key, otherwise: Refusal): Change => ({
  operation: { Delete: { Key: key, ConditionExpression: 'attribute_exists(pk)' } },
  otherwise,
});

/** Replaces one attribute of an item that must still have the value it is known by. */
export const replaceOn = (
  key: Key,
  attribute: string,
  from: unknown,
  to: unknown,
  otherwise: Change['otherwise'],
): Change => ({
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
