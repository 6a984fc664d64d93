import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { attributesOf, itemOf } from './attributes.ts';
import { table, tableName } from './client.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';

interface ScannedPage {
  items: Item[];
  /** Where the next page begins; undefined after the last page. */
  next: Key | undefined;
}

/** Reads a page of at most 1 MB of the whole table, with the items of all accounts. Only the erasure of accounts may use it. */
export async function scanPage(after: Key | undefined): Promise<ScannedPage> {
  const { Items = [], LastEvaluatedKey } = await table.send(
    new ScanCommand({
      TableName: tableName(),
      ConsistentRead: true,
      ...(after && { ExclusiveStartKey: attributesOf(after) }),
    }),
  );
  return { items: Items.map(itemOf), next: LastEvaluatedKey && keyIn(itemOf(LastEvaluatedKey)) };
}

const keyIn = ({ pk, sk }: Item): Key => ({ pk, sk });
