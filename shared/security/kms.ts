import { KMSClient } from '@aws-sdk/client-kms';
import { retryStrategy } from '../table/retries.ts';

let client: KMSClient | undefined;

export const kms = (): KMSClient => {
  client ??= new KMSClient({ retryStrategy });
  return client;
};
