import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { retryStrategy } from './retries.ts';

const client = new DynamoDBClient({ retryStrategy });
// Copies all that a request sends and receives, for a log that nobody keeps: a tenth of the processor time of a request.
client.middlewareStack.remove('loggerMiddleware');

/** One client for each instance, made at load so that its connection outlives the request. */
export const table = DynamoDBDocumentClient.from(client, {
  marshallOptions: { removeUndefinedValues: true },
});

/** The table's name, from the environment that the deployment or the local runner sets. */
export function tableName(): string {
  const name = process.env.TABLE_NAME;
  if (!name) throw new Error('TABLE_NAME is not set: it names the DynamoDB table.');
  return name;
}
