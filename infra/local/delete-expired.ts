import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { tableDefinition } from '../../shared/table/definition.ts';
import { asSeconds } from '../../shared/table/item.ts';
import { abortableSleep, type Poller, startPoller } from './polling.ts';

const day = 86_400_000;

/**
 * The engine sorts the whole table for each page of a scan (Dynoxide 1.2.1), so the time of a scan grows with the square of
 * the number of items. Above this number, requests would wait for seconds, and expired items are kept.
 */
const mostScanned = 250_000;

interface ExpiringTable {
  endpoint: string;
  tableName: string;
}

/**
 * Deletes expired items now and then once a day, because the embedded engine does not. As in AWS, the deletions also
 * remove the items' index entries, and write stream records that the relay ignores. A table with more than `most` items
 * keeps its expired items.
 */
export function startDeletingExpired(
  { endpoint, tableName }: ExpiringTable,
  { now = () => new Date(), every = day, most = mostScanned } = {},
): Poller {
  const client = new DynamoDBClient({ endpoint });
  const poller = startPoller('The deletion of expired items', async (signal) => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
    if ((Table?.ItemCount ?? 0) <= most) await deleteExpired(client, tableName, now(), signal);
    await abortableSleep(signal, every);
  });
  return {
    async stop() {
      await poller.stop();
      client.destroy();
    },
  };
}

/** Deletes one item after the other, so that requests do not wait. Keeps items that are renewed in the meantime. */
export async function deleteExpired(
  client: DynamoDBClient,
  TableName: string,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const { partitionKey, sortKey, ttl } = tableDefinition;
  const expired = {
    ExpressionAttributeNames: { '#ttl': ttl },
    ExpressionAttributeValues: { ':now': { N: String(asSeconds(now)) } },
  };
  const scan = { TableName, FilterExpression: '#ttl <= :now', ...expired };
  for await (const { Items = [] } of paginateScan({ client }, scan))
    for (const { [partitionKey]: pk, [sortKey]: sk } of Items) {
      if (signal?.aborted) return;
      if (!pk || !sk) continue;
      const Key = { [partitionKey]: pk, [sortKey]: sk };
      const request = { TableName, Key, ConditionExpression: '#ttl <= :now', ...expired };
      await client.send(new DeleteItemCommand(request)).catch((error: unknown) => {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      });
    }
}
