import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { retryStrategy } from './retries.ts';

/** One client for each instance, made at load so that its connection outlives the request. */
export const table = DynamoDBDocumentClient.from(new DynamoDBClient({ retryStrategy }), {
  marshallOptions: { removeUndefinedValues: true },
});

/** The table's name, from the environment that the deployment or the local runner sets. */
export function tableName(): string {
  const name = process.env.TABLE_NAME;
  if (!name) throw new Error('TABLE_NAME is not set: it names the DynamoDB table.');
  return name;
}
