import { KMSClient } from '@aws-sdk/client-kms';
import { retryStrategy } from '../table/retries.ts';
import { closesSilentConnections, tuneClient } from '../tune-client.ts';

let client: KMSClient | undefined;

export const kms = (): KMSClient => {
  client ??= tuneClient(new KMSClient({ ...closesSilentConnections, retryStrategy }));
  return client;
};
