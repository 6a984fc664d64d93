import { randomBytes } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { itemOf, marshalled } from './attributes.ts';
import { table, tableName } from './client.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';
import { ifEquals, type TransactItem } from './operations.ts';
import { getItem } from './read.ts';

/**
 * An item with a revision. Each write sets a new revision. A conditional write succeeds only if the stored item still
 * has the revision that was read.
 */
export type RevisedItem = Item & { revision: string };

export const newRevision = (): string => randomBytes(9).toString('base64url');

/**
 * Puts an item if the stored item has the revision `before`, or if `before` is undefined and no item exists. Returns
 * false if another write came first. Also returns true if the write succeeded but its response was lost.
 */
export async function putRevised(item: RevisedItem, before: string | undefined): Promise<boolean> {
  const held = await isHeld(() =>
    table.send(new PutItemCommand(marshalled({ TableName: tableName(), Item: item, ...ifRevision(before) }))),
  );
  // After a lost response, the SDK repeats the request. The condition then fails, because the first request succeeded.
  return held || (await getItem({ pk: item.pk, sk: item.sk }))?.revision === item.revision;
}

/** Puts an item without a condition. Conditional writes with an older revision then fail. */
export async function overwrite(item: RevisedItem): Promise<void> {
  await isHeld(() => table.send(new PutItemCommand(marshalled({ TableName: tableName(), Item: item }))));
}

/** The same as `putRevised`, as an operation of a transaction. */
export const revisedPut = (item: RevisedItem, before: string | undefined): TransactItem => ({
  operation: { Put: { Item: item, ...ifRevision(before) } },
  otherwise: 'conflict',
});

/** Deletes an item if it still has this revision. Returns false if another write came first. */
export const removeRevised = ({ pk, sk }: Key, revision: string): Promise<boolean> =>
  isHeld(() =>
    table.send(
      new DeleteItemCommand(marshalled({ TableName: tableName(), Key: { pk, sk }, ...ifRevision(revision) })),
    ),
  );

/**
 * Sets attributes if one attribute still has a given value. Returns the new item, or undefined if the value differs.
 */
export async function setRevised(
  { pk, sk }: Key,
  attributes: Readonly<Record<string, unknown>>,
  unless: { attribute: string; was: unknown },
): Promise<Item | undefined> {
  const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = setting(attributes);
  let item: Item | undefined;
  await isHeld(async () => {
    const { Attributes } = await table.send(
      new UpdateItemCommand(
        marshalled({
          TableName: tableName(),
          Key: { pk, sk },
          UpdateExpression,
          ConditionExpression: '#was = :was',
          ExpressionAttributeNames: { ...ExpressionAttributeNames, '#was': unless.attribute },
          ExpressionAttributeValues: { ...ExpressionAttributeValues, ':was': unless.was },
          ReturnValues: 'ALL_NEW',
        }),
      ),
    );
    item = Attributes && itemOf(Attributes);
  });
  return item;
}

/** Sets attributes and a new revision without a condition. Creates the item if needed. */
export const reviseUnconditionally = (
  { pk, sk }: Key,
  attributes: Readonly<Record<string, unknown>>,
): TransactItem => ({
  operation: { Update: { Key: { pk, sk }, ...setting(attributes) } },
  otherwise: 'conflict',
});

function setting(attributes: Readonly<Record<string, unknown>>) {
  const all = Object.entries({ ...attributes, revision: newRevision() });
  return {
    UpdateExpression: `SET ${all.map((_, n) => `#a${n} = :a${n}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(all.map(([name], n) => [`#a${n}`, name])),
    ExpressionAttributeValues: Object.fromEntries(all.map(([, value], n) => [`:a${n}`, value])),
  };
}

const ifRevision = (before: string | undefined) =>
  before === undefined ? { ConditionExpression: 'attribute_not_exists(pk)' } : ifEquals('revision', before);

/** Sends a request and reports whether its condition was true. */
async function isHeld(send: () => Promise<unknown>): Promise<boolean> {
  try {
    await send();
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
