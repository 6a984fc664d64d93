import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { createTable } from '../../infra/local/create-table.ts';
import { tableName } from '../../shared/table/client.ts';

const client = new DynamoDBClient({});

/** Creates a table like the table of this file, with another type of stream. */
async function createWithStream(TableName: string, StreamViewType: 'NEW_IMAGE' | 'KEYS_ONLY'): Promise<void> {
  const { Table = {} } = await client.send(new DescribeTableCommand({ TableName: tableName() }));
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: Table.AttributeDefinitions ?? [],
      KeySchema: Table.KeySchema ?? [],
      GlobalSecondaryIndexes: (Table.GlobalSecondaryIndexes ?? []).map(
        ({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection }),
      ),
      StreamSpecification: { StreamEnabled: true, StreamViewType },
    }),
  );
}

test('a table of an earlier version, whose stream has only new images, is accepted; a stream without new images is not', async () => {
  await createWithStream('earlier', 'NEW_IMAGE');
  await createTable(client, 'earlier');
  await createWithStream('keys', 'KEYS_ONLY');
  await expect(createTable(client, 'keys')).rejects.toThrow('stream without new images');
});
