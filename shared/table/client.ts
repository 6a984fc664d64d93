import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PlainJsonProtocol } from '../plain-json-protocol.ts';
import { closesSilentConnections, tuneClient } from '../tune-client.ts';
import { retryStrategy } from './retries.ts';

/** One client per instance, so that connections are reused. */
export const table = tuneClient(
  new DynamoDBClient({ ...closesSilentConnections, retryStrategy, protocol: PlainJsonProtocol }),
);

/** Returns the table's name, which the deployment or the local runner sets. */
export function tableName(): string {
  const name = process.env.TABLE_NAME;
  if (!name) throw new Error('TABLE_NAME is not set. Set it to the name of the DynamoDB table.');
  return name;
}
