import { KMSClient } from '@aws-sdk/client-kms';
import { retryStrategy } from '../table/retries.ts';
import { tuneClient } from '../tune-client.ts';

let client: KMSClient | undefined;

export const kms = (): KMSClient => {
  client ??= tuneClient(new KMSClient({ retryStrategy }));
  return client;
};
