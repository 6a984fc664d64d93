import { DescribeTableCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { itemOf } from '../../shared/table/attributes.ts';
import { table, tableName } from '../../shared/table/client.ts';
import type { Item } from '../../shared/table/item.ts';
import { progressBar } from '../administration/progress-bar.ts';

/**
 * Scans the table in pages of 1 MB and shows the progress. An item that is written or removed during the scan may be
 * missing.
 */
export async function* scanTable(): AsyncGenerator<Item[]> {
  const { Table } = await table.send(new DescribeTableCommand({ TableName: tableName() }));
  // DynamoDB updates ItemCount only every six hours, so it may still be 0.
  const bar = progressBar('Items read', Table?.ItemCount || undefined);
  try {
    const input = { TableName: tableName(), ConsistentRead: true };
    for await (const page of paginateScan({ client: table }, input)) {
      bar.advance(page.ScannedCount ?? 0);
      yield (page.Items ?? []).map(itemOf);
    }
  } finally {
    bar.end();
  }
}

/** The deadline of a command's write: a minute from now, in milliseconds since 1970. */
export const writeDeadline = (): number => Date.now() + 60_000;
