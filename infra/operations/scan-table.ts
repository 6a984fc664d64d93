import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { table, tableName } from '../../shared/table/client.ts';
import type { Item } from '../../shared/table/item.ts';
import { progressBar } from './progress-bar.ts';

/**
 * Every item of the table, of every account, or those of some types, a megabyte read at a time. What is there from the
 * beginning to the end comes once, as it is when it is read; what is written or removed meanwhile may come or not. Shows how
 * many items were read.
 */
export async function* scanTable(what: string, types?: readonly string[]): AsyncGenerator<Item[]> {
  const { Table } = await table.send(new DescribeTableCommand({ TableName: tableName() }));
  // DynamoDB counts them every six hours.
  const bar = progressBar(what, Table?.ItemCount || undefined);
  try {
    let start: Record<string, unknown> | undefined;
    do {
      const page: Page = await table.send(
        new ScanCommand({
          TableName: tableName(),
          ExclusiveStartKey: start,
          ConsistentRead: true,
          ...(types && ofTypes(types)),
        }),
      );
      bar.advance(page.ScannedCount ?? 0);
      yield (page.Items ?? []) as Item[];
      start = page.LastEvaluatedKey;
    } while (start);
  } finally {
    bar.end();
  }
}

interface Page {
  Items?: Record<string, unknown>[];
  ScannedCount?: number;
  LastEvaluatedKey?: Record<string, unknown>;
}

const ofTypes = (types: readonly string[]) => ({
  FilterExpression: `#type IN (${types.map((_, n) => `:type${n}`).join(', ')})`,
  ExpressionAttributeNames: { '#type': 'type' },
  ExpressionAttributeValues: Object.fromEntries(types.map((type, n) => [`:type${n}`, type])),
});
