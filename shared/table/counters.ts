import {
  ConditionalCheckFailedException,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { itemOf, marshalled, type Plain } from './attributes.ts';
import { table, tableName } from './client.ts';
import { asSeconds, type Item, isExpired } from './item.ts';
import type { Key } from './keys.ts';

/** Counters are items that no transaction writes, so that counting never conflicts with one. */
const counted = { '#count': 'count', '#end': 'expiresAtSeconds' };

/** Adds to a counter by one atomic update and returns the new count. With `until` the counter expires then. */
export async function increment(key: Key, amount = 1, until?: Date): Promise<number> {
  return update(key, {
    UpdateExpression: `ADD #count :amount${until ? ' SET #end = :end' : ''}`,
    ExpressionAttributeNames: until ? counted : { '#count': 'count' },
    ExpressionAttributeValues: { ':amount': amount, ...(until && { ':end': asSeconds(until) }) },
  });
}

/**
 * Adds to a counter that restarts when its window is over, and returns the new count. A window begins with its
 * first count and lasts `seconds`.
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
  // Of several requests that find the window over, one starts the next window and the others count in it.
  return (await updateIf(key, add)) ?? (await updateIf(key, begin)) ?? update(key, add);
}

/**
 * Takes one of `most` places of an item for a name, and keeps it: who asks again has it still. False where all are taken.
 */
export async function takePlace(key: Key, name: string, most: number, until: Date): Promise<boolean> {
  const taken = await updateIf(key, {
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
  return taken !== undefined;
}

/** The count in a counter's item: 0 where there is no item or its window is over. */
export const countOf = (item: Item | undefined, now: Date): number =>
  item && !isExpired(item, now) ? Number(item.count ?? 0) : 0;

type UpdateOf = Partial<Plain<UpdateItemCommandInput>>;

/** Undefined where the condition does not hold. */
async function updateIf(key: Key, change: UpdateOf): Promise<number | undefined> {
  try {
    return await update(key, change);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

async function update(Key: Key, change: UpdateOf): Promise<number> {
  const command = { TableName: tableName(), Key, ReturnValues: 'UPDATED_NEW' as const, ...change };
  const { Attributes } = await table.send(new UpdateItemCommand(marshalled(command)));
  return Number(Attributes && itemOf(Attributes).count);
}

/** Sets one attribute of an item that nothing else writes, making the item where there is none. */
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
