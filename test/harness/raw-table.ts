import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../../shared/table/client.ts';
import type { Item } from '../../shared/table/item.ts';
import { documents } from './documents.ts';

/** Every item in the table, of every account: what somebody with the table in hand could read. */
export async function scanTable(): Promise<Item[]> {
  const items: Item[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await documents.send(
      new ScanCommand({ TableName: tableName(), ExclusiveStartKey: start, ConsistentRead: true }),
    );
    items.push(...((page.Items ?? []) as Item[]));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
}

/** The event items of an account, oldest first. */
export async function storedEvents(accountId: string): Promise<Item[]> {
  const items = await scanTable();
  return items
    .filter(({ type, accountId: owner }) => type === 'event' && owner === accountId)
    .sort((one, other) => Number(one.id) - Number(other.id));
}
