import { UpdateItemCommand, type UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { itemOf, marshalled, type Plain } from './attributes.ts';
import { table, tableName } from './client.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';

type Expressions = Pick<
  Plain<UpdateItemCommandInput>,
  'UpdateExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

/**
 * Changes an item by itself, in one atomic update without a condition, and returns it as it was; undefined where there was
 * none. For what is the same however often it is done: a request whose response was lost is sent again.
 */
export async function updateItem(Key: Key, change: Expressions): Promise<Item | undefined> {
  const { Attributes } = await table.send(
    new UpdateItemCommand(marshalled({ TableName: tableName(), Key, ReturnValues: 'ALL_OLD', ...change })),
  );
  return Attributes && itemOf(Attributes);
}
