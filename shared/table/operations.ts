import type { ConditionCheck, Delete, Put, Update } from '@aws-sdk/client-dynamodb';
import { ApiError } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import type { Plain } from './attributes.ts';
import { tableDefinition } from './definition.ts';
import { asSeconds, type Item } from './item.ts';
import type { Key, RecordId, Scope } from './keys.ts';

type WithoutTable<T> = Omit<Plain<T>, 'TableName'>;

/** A DynamoDB operation of a transaction, without the table name. */
export type Operation =
  | { Put: WithoutTable<Put> }
  | { Update: WithoutTable<Update> }
  | { Delete: WithoutTable<Delete> }
  | { ConditionCheck: WithoutTable<ConditionCheck> };

/** Describes which record of the API a write creates, updates or deletes. */
export interface RecordChange {
  /** The subject type of the events, such as `lead`. */
  type: string;
  id: RecordId;
  action: 'created' | 'updated' | 'deleted';
}

/** An operation of a transaction, and the error to throw if its condition fails. */
export interface TransactItem {
  operation: Operation;
  /** Thrown if the condition fails. `conflict`: another write came first, so the request must read and decide again. */
  otherwise: 'conflict' | ApiError;
  /** Thrown instead of `otherwise` if the item does not exist. Requires `ReturnValuesOnConditionCheckFailure`. */
  missing?: ApiError;
  /** The version that the request read, which is compared with If-Match. */
  basedOn?: number;
  /** Absent for items that are not records themselves, such as index rows. */
  change?: RecordChange;
}

/** A change of a sharded counter within a transaction. */
export interface CounterDelta {
  account: AccountId;
  of: string;
  amount: number;
  /** The totals that contain the counter. Default: the totals of the account. */
  within?: Scope;
}

export type Write = TransactItem | CounterDelta;

export const isCounterDelta = (write: Write): write is CounterDelta => 'amount' in write;

/** 300 KB, so that a record and its table attributes always fit into DynamoDB's limit of 400 KB. */
const largestRecord = 300 * 1024;

function checkSize(item: Item): Item {
  if (Buffer.byteLength(JSON.stringify(item)) > largestRecord) throw new ApiError('record_too_large');
  return item;
}

/** Puts a new item. If the key exists, fails with `otherwise`, by default a conflict. */
export const putIfAbsent = (item: Item, otherwise: TransactItem['otherwise'] = 'conflict'): TransactItem => ({
  operation: { Put: { Item: checkSize(item), ConditionExpression: 'attribute_not_exists(pk)' } },
  otherwise,
});

/** Puts an item if the key does not exist or its item has expired. The size limit of records does not apply. */
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

/** Puts an item without a condition. */
export const putItem = (item: Item): TransactItem => ({
  operation: { Put: { Item: checkSize(item) } },
  otherwise: 'conflict',
});

export const ifEquals = (attribute: string, value: unknown) => ({
  ConditionExpression: '#attribute = :value',
  ExpressionAttributeNames: { '#attribute': attribute },
  ExpressionAttributeValues: { ':value': value },
});

/** Replaces an item if the stored item has this version. */
export const putIfVersion = (item: Item, version: number): TransactItem => ({
  ...putIfEquals(item, 'version', version),
  basedOn: version,
});

/** Adds to a counter. Creates the counter if needed. */
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

/** Adds 1 to a counter. Throws `quota_exceeded` if the counter has reached `most`. */
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

/** Checks that a counter still has this value. A missing counter is 0. */
export const checkCount = (key: Key, count: number): TransactItem => ({
  operation: {
    ConditionCheck: {
      Key: key,
      ConditionExpression:
        count === 0 ? 'attribute_not_exists(#count) OR #count = :count' : '#count = :count',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':count': count },
    },
  },
  otherwise: 'conflict',
});

/** Deletes a counter that is 0. Throws `otherwise` if the counter is not 0. */
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

/** Returns the parameters of an update that adds to named counts. */
export const additions = (amounts: readonly (readonly [name: string, amount: number])[]) => ({
  UpdateExpression: `ADD ${amounts.map((_, n) => `#n${n} :v${n}`).join(', ')}`,
  ExpressionAttributeNames: Object.fromEntries(amounts.map(([name], n) => [`#n${n}`, name])),
  ExpressionAttributeValues: Object.fromEntries(amounts.map(([, amount], n) => [`:v${n}`, amount])),
});

interface Limits {
  /** The largest allowed value of each count after the addition, by name. */
  most: Readonly<Record<string, number>>;
  /** Thrown if a limit is exceeded. */
  otherwise: ApiError;
  /** Thrown if the item does not exist. */
  missing: ApiError;
}

/** Adds to several counts in one item, which must exist. */
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

/** Puts a new marker that expires at `until`. Fails if the marker exists. */
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

/** Deletes an item, such as a session. Writes no tombstone. */
export const deleteItem = (key: Key): TransactItem => ({
  operation: { Delete: { Key: key } },
  otherwise: 'conflict',
});

/** Deletes an item if the stored item has this version. Writes no tombstone. */
export const deleteIfVersion = (key: Key, version: number): TransactItem => ({
  operation: { Delete: { Key: key, ...ifEquals('version', version) } },
  otherwise: 'conflict',
  basedOn: version,
});

/** Deletes an item if an attribute has the value `from`. Writes no tombstone. */
export const deleteIfEquals = ({ pk, sk }: Key, attribute: string, from: unknown): TransactItem => ({
  operation: { Delete: { Key: { pk, sk }, ...ifEquals(attribute, from) } },
  otherwise: 'conflict',
});

/** Checks that an item still has this version. */
export const checkAt = (key: Key, version: number): TransactItem => ({
  operation: { ConditionCheck: { Key: key, ...ifEquals('version', version) } },
  otherwise: 'conflict',
  basedOn: version,
});

/** Checks that an item exists; throws `otherwise` if it does not. */
export const checkPresent = (key: Key, otherwise: ApiError): TransactItem => ({
  operation: { ConditionCheck: { Key: key, ConditionExpression: 'attribute_exists(pk)' } },
  otherwise,
});

export const checkAbsent = (key: Key): TransactItem => ({
  operation: { ConditionCheck: { Key: key, ConditionExpression: 'attribute_not_exists(pk)' } },
  otherwise: 'conflict',
});

/** Deletes an item that must exist; throws `otherwise` if it does not. */
export const deleteIfPresent = (key: Key, otherwise: ApiError): TransactItem => ({
  operation: { Delete: { Key: key, ConditionExpression: 'attribute_exists(pk)' } },
  otherwise,
});

/** Replaces an item if an attribute still has the value `from`. */
export const putIfEquals = (item: Item, attribute: string, from: unknown): TransactItem => ({
  operation: { Put: { Item: checkSize(item), ...ifEquals(attribute, from) } },
  otherwise: 'conflict',
});

/** Sets an attribute to `to` if it still has the value `from`. `also` is another attribute to set, and its value. */
export const setIfEquals = (
  key: Key,
  attribute: string,
  from: unknown,
  to: unknown,
  otherwise: TransactItem['otherwise'],
  also?: readonly [attribute: string, value: unknown],
): TransactItem => ({
  operation: {
    Update: {
      Key: key,
      UpdateExpression: also ? 'SET #attribute = :to, #also = :also' : 'SET #attribute = :to',
      ConditionExpression: '#attribute = :from',
      ExpressionAttributeNames: { '#attribute': attribute, ...(also && { '#also': also[0] }) },
      ExpressionAttributeValues: { ':from': from, ':to': to, ...(also && { ':also': also[1] }) },
    },
  },
  otherwise,
});

/** Sets an attribute of an item that must exist. */
export const setIfPresent = (key: Key, attribute: string, to: unknown): TransactItem => ({
  operation: {
    Update: {
      Key: key,
      UpdateExpression: 'SET #attribute = :to',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#attribute': attribute },
      ExpressionAttributeValues: { ':to': to },
    },
  },
  otherwise: 'conflict',
});
