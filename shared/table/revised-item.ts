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
import type { TransactItem } from './operations.ts';
import { getItem } from './read.ts';

/**
 * An item that is written whole by one request after the other, without a transaction: each write has a revision of its own
 * and holds only where the item still has the revision that was read.
 */
export type RevisedItem = Item & { revision: string };

/** A revision that no other write has. */
export const newRevision = (): string => randomBytes(9).toString('base64url');

/**
 * Puts the item in the place of the one that had this revision; `undefined`: there was none. False where another write
 * came first. A write whose response was lost counts as done.
 */
export async function putRevised(item: RevisedItem, before: string | undefined): Promise<boolean> {
  const held = await isHeld(() =>
    table.send(new PutItemCommand(marshalled({ TableName: tableName(), Item: item, ...ifRevision(before) }))),
  );
  // The request may have been sent twice, and the second one met what the first had put.
  return held || (await getItem({ pk: item.pk, sk: item.sk }))?.revision === item.revision;
}

/** Puts the item over whatever is there: who goes by an older revision writes nothing more. */
export async function overwrite(item: RevisedItem): Promise<void> {
  await isHeld(() => table.send(new PutItemCommand(marshalled({ TableName: tableName(), Item: item }))));
}

/** The put of `putRevised` as a part of a transaction. */
export const revisedPut = (item: RevisedItem, before: string | undefined): TransactItem => ({
  operation: { Put: { Item: item, ...ifRevision(before) } },
  otherwise: 'conflict',
});

/** Removes an item that has this revision, and leaves one that has another. */
export async function removeRevised({ pk, sk }: Key, revision: string): Promise<void> {
  await isHeld(() =>
    table.send(
      new DeleteItemCommand(marshalled({ TableName: tableName(), Key: { pk, sk }, ...ifRevision(revision) })),
    ),
  );
}

/**
 * Sets some attributes of an item where one of them still has the value that was read, and returns it as it is then;
 * undefined where it has another value.
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

/** Sets some attributes of an item, whatever it has and whether it is there, and gives it a new revision. */
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
  before === undefined
    ? { ConditionExpression: 'attribute_not_exists(pk)' }
    : {
        ConditionExpression: '#revision = :revision',
        ExpressionAttributeNames: { '#revision': 'revision' },
        ExpressionAttributeValues: { ':revision': before },
      };

/** Reports whether the condition of a request held. */
async function isHeld(send: () => Promise<unknown>): Promise<boolean> {
  try {
    await send();
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
