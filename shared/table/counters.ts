import {
  ConditionalCheckFailedException,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { itemOf, marshalled, type Plain } from './attributes.ts';
import { table, tableName } from './client.ts';
import { asSeconds, type Item, isExpired } from './item.ts';
import type { Key } from './keys.ts';

/** These counters are separate items and are not updated in transactions, so that counting causes no conflicts. */
const counted = { '#count': 'count', '#end': 'expiresAtSeconds' };

/** Adds to a counter atomically and returns the new count. `until` sets when the counter expires. */
export const increment = (key: Key, amount = 1, until?: Date): Promise<number> =>
  update(key, addition(amount, until));

/** Builds and signs a request, so that V8 compiles this code. Does not send it, because the signal is aborted. */
export const prewarmIncrement = (key: Key): Promise<unknown> => update(key, addition(1), AbortSignal.abort());

const addition = (amount: number, until?: Date): UpdateOf => ({
  UpdateExpression: `ADD #count :amount${until ? ' SET #end = :end' : ''}`,
  ExpressionAttributeNames: until ? counted : { '#count': 'count' },
  ExpressionAttributeValues: { ':amount': amount, ...(until && { ':end': asSeconds(until) }) },
});

/**
 * Adds to a counter and returns the new count. The first increment starts a period of `seconds`. After the period, the
 * counter restarts at 0.
 */
export async function incrementInWindow(
  key: Key,
  amount: 1 | -1,
  seconds: number,
  now: Date,
): Promise<number> {
  const names = { ExpressionAttributeNames: counted };
  const values = { ':amount': amount, ':end': asSeconds(now) + seconds, ':now': asSeconds(now) };
  const add = {
    ...names,
    UpdateExpression: 'ADD #count :amount SET #end = if_not_exists(#end, :end)',
    ConditionExpression: 'attribute_not_exists(#end) OR #end > :now',
    ExpressionAttributeValues: values,
  };
  const begin = {
    ...names,
    UpdateExpression: 'SET #count = :amount, #end = :end',
    ConditionExpression: '#end <= :now',
    ExpressionAttributeValues: { ...values, ':amount': Math.max(amount, 0) },
  };
  // After the period, one of several concurrent requests starts the next period. The others add to the new count.
  return (await updateIf(key, add)) ?? (await updateIf(key, begin)) ?? update(key, add);
}

/**
 * Adds a name to a set that expires at `until`. Returns `known` if the set already contained the name, and undefined if it
 * already contains `most` other names.
 */
export async function takePlace(
  key: Key,
  name: string,
  most: number,
  until: Date,
): Promise<'new' | 'known' | undefined> {
  const before = await attributesIf(key, {
    ReturnValues: 'UPDATED_OLD',
    UpdateExpression: 'ADD #names :own SET #end = :end',
    ConditionExpression: 'attribute_not_exists(#names) OR contains(#names, :name) OR size(#names) < :most',
    ExpressionAttributeNames: { '#names': 'names', '#end': 'expiresAtSeconds' },
    ExpressionAttributeValues: {
      ':own': new Set([name]),
      ':name': name,
      ':most': most,
      ':end': asSeconds(until),
    },
  });
  if (!before) return undefined;
  return before.names instanceof Set && before.names.has(name) ? 'known' : 'new';
}

/** Returns the count in a counter item; 0 if the item does not exist or has expired. */
export const counterValue = (item: Item | undefined, now: Date): number =>
  item && !isExpired(item, now) ? Number(item.count ?? 0) : 0;

type UpdateOf = Partial<Plain<UpdateItemCommandInput>>;

async function updateIf(key: Key, change: UpdateOf): Promise<number | undefined> {
  const attributes = await attributesIf(key, change);
  return attributes && Number(attributes.count);
}

/** Returns undefined if the condition fails. */
async function attributesIf(key: Key, change: UpdateOf): Promise<Attributes | undefined> {
  try {
    return await attributesAfter(key, change);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

const update = async (key: Key, change: UpdateOf, abortSignal?: AbortSignal): Promise<number> =>
  Number((await attributesAfter(key, change, abortSignal)).count);

type Attributes = Readonly<Record<string, unknown>>;

async function attributesAfter(Key: Key, change: UpdateOf, abortSignal?: AbortSignal): Promise<Attributes> {
  const command = { TableName: tableName(), Key, ReturnValues: 'UPDATED_NEW' as const, ...change };
  const { Attributes = {} } = await table.send(new UpdateItemCommand(marshalled(command)), { abortSignal });
  return itemOf(Attributes);
}

/** Sets one attribute of an item. Creates the item if needed. */
export async function setAttribute(key: Key, attribute: string, value: string): Promise<void> {
  await table.send(
    new UpdateItemCommand(
      marshalled({
        TableName: tableName(),
        Key: key,
        UpdateExpression: 'SET #attribute = :value',
        ExpressionAttributeNames: { '#attribute': attribute },
        ExpressionAttributeValues: { ':value': value },
      }),
    ),
  );
}
