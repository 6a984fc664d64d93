import { DescribeTableCommand, ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import { type Attributes, attributesOf, itemOf } from '../../shared/table/attributes.ts';
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
    let start: Attributes | undefined;
    do {
      const page: ScanCommandOutput = await table.send(
        new ScanCommand({
          TableName: tableName(),
          ExclusiveStartKey: start,
          ConsistentRead: true,
          ...(types && ofTypes(types)),
        }),
      );
      bar.advance(page.ScannedCount ?? 0);
      yield (page.Items ?? []).map(itemOf);
      start = page.LastEvaluatedKey;
    } while (start);
  } finally {
    bar.end();
  }
}

const ofTypes = (types: readonly string[]) => ({
  FilterExpression: `#type IN (${types.map((_, n) => `:type${n}`).join(', ')})`,
  ExpressionAttributeNames: { '#type': 'type' },
  ExpressionAttributeValues: attributesOf(Object.fromEntries(types.map((type, n) => [`:type${n}`, type]))),
});
