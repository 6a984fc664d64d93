import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * One client for each instance, made at load so that its connection outlives the request. Throttles are retried
 * by the SDK with full jitter: eight attempts wait up to about 6 s, inside the 10 s a request has.
 */
export const table = DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 8, retryMode: 'standard' }), {
  marshallOptions: { removeUndefinedValues: true },
});

/** The table's name, from the environment that the deployment or the local runner sets. */
export function tableName(): string {
  const name = process.env.TABLE_NAME;
  if (!name) throw new Error('TABLE_NAME is not set: it names the DynamoDB table.');
  return name;
}
