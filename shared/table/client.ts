import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { retryStrategy } from './retries.ts';

/**
 * One client for each instance, made at load so that its connection outlives the request. It keeps the way that each kind of
 * request takes through its middleware, which therefore stays as it is here.
 */
export const table = new DynamoDBClient({ retryStrategy, cacheMiddleware: true });
// Copies all that a request sends and receives, for a log that nobody keeps: a tenth of the processor time of a request.
table.middlewareStack.remove('loggerMiddleware');

/** The table's name, from the environment that the deployment or the local runner sets. */
export function tableName(): string {
  const name = process.env.TABLE_NAME;
  if (!name) throw new Error('TABLE_NAME is not set: it names the DynamoDB table.');
  return name;
}
