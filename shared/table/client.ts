import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { retryStrategy } from './retries.ts';

/** One client per instance, so that connections are reused. It caches a middleware stack for each kind of request. */
export const table = new DynamoDBClient({ retryStrategy, cacheMiddleware: true });
// The logger middleware copies each input and output for an unused log. It takes 10% of a request's CPU time.
table.middlewareStack.remove('loggerMiddleware');
// The SDK would create a signer for each request, which takes 4% of the CPU time of a request. A signer reads the
// credentials for each signature, so it also uses renewed credentials.
const { signer: createSigner } = table.config;
let signer: ReturnType<typeof createSigner> | undefined;
table.config.signer = (scheme) => {
  signer ??= createSigner(scheme);
  return signer;
};

/** Returns the table's name, which the deployment or the local runner sets. */
export function tableName(): string {
  const name = process.env.TABLE_NAME;
  if (!name) throw new Error('TABLE_NAME is not set. Set it to the name of the DynamoDB table.');
  return name;
}
