import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';

const keySchema = (partitionKey: string, sortKey: string) => [
  { AttributeName: partitionKey, KeyType: 'HASH' as const },
  { AttributeName: sortKey, KeyType: 'RANGE' as const },
];

/** The first version of the table, with only the index of lists. This copy never changes. */
export const originalTable = (TableName: string) =>
  ({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['pk', 'sk', 'listPk', 'listSk'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S' as const,
    })),
    KeySchema: keySchema('pk', 'sk'),
    GlobalSecondaryIndexes: [
      { IndexName: 'list', KeySchema: keySchema('listPk', 'listSk'), Projection: { ProjectionType: 'ALL' } },
    ],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
  }) satisfies CreateTableCommandInput;
