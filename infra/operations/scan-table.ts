import { DescribeTableCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { attributesOf, itemOf } from '../../shared/table/attributes.ts';
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
    const input = { TableName: tableName(), ConsistentRead: true, ...(types && ofTypes(types)) };
    for await (const page of paginateScan({ client: table }, input)) {
      bar.advance(page.ScannedCount ?? 0);
      yield (page.Items ?? []).map(itemOf);
    }
  } finally {
    bar.end();
  }
}

const ofTypes = (types: readonly string[]) => ({
  FilterExpression: `#type IN (${types.map((_, n) => `:type${n}`).join(', ')})`,
  ExpressionAttributeNames: { '#type': 'type' },
  ExpressionAttributeValues: attributesOf(Object.fromEntries(types.map((type, n) => [`:type${n}`, type]))),
});

/** The deadline of a write by a command: a minute from now, in milliseconds since 1970. */
export const writeDeadline = (): number => Date.now() + 60_000;
